// What round-off alone may change the stored energy by: below that an error of the energy balance says nothing. A machine that stays
// at an equilibrium has no energy in motion to compare the error with, but its springs and weights are large numbers that cancel, and
// round-off of its velocities has an energy of its own,
//
//   1/2 dv' M dv,   dv_i = 1e-12 atol_i/rtol    (by default the coordinate's size in a tenth of the run)
//
// The potential is enclosed (expression/enclosure.hpp) over positions
//
//   q_i +- 1e-12 |q_i|              of a tree of links
//   q_i +- 1e-12 (s_i + |q_i|)      where loops are closed; s_i: the machine's length, or 1 rad
//
// with every operation rounded: half the width of what it can be.
#pragma once

#include <memory>

#include "prepare/prepare.hpp"

namespace armature::internal {

// Of one machine.
class EnergyNoise {
 public:
  explicit EnergyNoise(const Prepared& prepared);  // kept by reference
  ~EnergyNoise();
  double at(const State& state);  // J; a potential without bounds has none

 private:
  struct Parts;
  const Prepared& prepared_;
  std::unique_ptr<Parts> parts_;  // from the first question on
};

}  // namespace armature::internal
