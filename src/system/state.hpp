// State: everything needed to continue a run exactly.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/graph.hpp"

namespace armature {

// A comparison's outcome: below (0), above (1), or sliding along root = 0 with a weight between. A floor is always above: its
// outcome is the number in State::w.
enum class ModeStatus : char { below, above, sliding };

inline ModeStatus status_of(const Graph::Mode& mode, double outcome) {
  return mode.kind == Graph::ModeKind::floor || outcome == 1 ? ModeStatus::above : ModeStatus::below;
}

struct State {
  double t = 0;
  Eigen::VectorXd x;  // q, v, z one after the other
  Eigen::VectorXd d;  // discrete values: change only between steps
  Eigen::VectorXd w;  // modes: 0 below, 1 above, a weight between while sliding; the integer of a floor
  std::vector<ModeStatus> mode;
};

}  // namespace armature
