// The roots of comparisons in the last steps of eight lanes, where Modes looks for changes: at the ends of the steps, and at
// the probes in them if some lane comes near a change.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "dynamics/lane_dynamics.hpp"
#include "integrate/lane_integrator.hpp"
#include "simulate/modes.hpp"

namespace armature {

class RootLanes {
 public:
  RootLanes(LaneDynamics& dynamics, LaneIntegrator& integrator);

  void evaluate_ends(LaneMask lanes);
  bool stays_away(int k, Modes& modes);  // by the ends

  void evaluate_probes(LaneMask lanes);  // after the ends
  std::optional<double> find_change(int k, Modes& modes);

 private:
  void evaluate(LaneMask lanes, std::size_t probe);
  Modes::Probed gather(int k, std::size_t probe);

  LaneDynamics& dynamics_;
  LaneIntegrator& integrator_;
  int nw_;
  std::vector<LaneRow> x_, xdot_;
  std::array<std::vector<LaneRow>, Modes::probes.size()> roots_, weights_;
  std::array<std::vector<double>, Modes::probes.size()> one_roots_, one_weights_;  // of one lane
};

}  // namespace armature
