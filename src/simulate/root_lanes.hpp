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
  bool passes(int k, const Modes& modes) const;

  LaneDynamics& dynamics_;
  LaneIntegrator& integrator_;
  int nw_;
  std::vector<LaneRow> x_, xdot_;
  std::vector<LaneRow> roots_, weights_;                    // at one probe after the other
  std::vector<LaneRow> least_, most_, size_;                // of each root over the probes
  std::vector<double> one_roots_, one_weights_, one_size_;  // of one lane
};

}  // namespace armature
