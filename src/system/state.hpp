// State: everything needed to continue a run exactly.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

using step::ModeStatus;

inline ModeStatus status_of(const Graph::Mode& mode, double outcome) { return step::status_of(mode.kind, outcome); }

struct State {
  double t = 0;
  Eigen::VectorXd x;  // q, v, z one after the other
  Eigen::VectorXd d;  // discrete values: change only between steps
  Eigen::VectorXd w;  // modes: 0 below, 1 above, a weight between while sliding; the integer of a floor
  std::vector<ModeStatus> mode;
};

}  // namespace armature::internal
