// The roots of comparisons and the weights of those that slide, in the last steps of eight lanes: at the ends of the steps, and
// in the middle of those in which something slides. Comparisons searches each step with them.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/lane_dynamics.hpp"
#include "events/comparisons.hpp"
#include "integrate/lane_integrator.hpp"

namespace armature::internal {

class RootLanes {
 public:
  RootLanes(LaneDynamics& dynamics, LaneIntegrator& integrator);

  void evaluate(LaneMask lanes);
  std::optional<double> find_change(int k, Comparisons& comparisons);  // after evaluate()

 private:
  // In all lanes; of one of them.
  struct Rows {
    std::vector<LaneRow> roots, weights;
    std::vector<double> one_roots, one_weights;
  };
  LaneMask sliding(LaneMask lanes) const;
  void evaluate(LaneMask lanes, const LaneRow& t, Rows& rows);
  static void gather(int k, Rows& rows);

  LaneDynamics& dynamics_;
  LaneIntegrator& integrator_;
  std::vector<LaneRow> x_, xdot_;
  Rows middle_, end_;
};

}  // namespace armature::internal
