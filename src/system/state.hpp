// State: everything needed to continue a run exactly.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

using step::ComparisonStatus;

inline ComparisonStatus status_of(const Graph::Comparison& comparison, double outcome) {
  return step::status_of(comparison.kind, outcome);
}

struct State {
  double t = 0;
  Eigen::VectorXd x;  // q, v, z one after the other
  Eigen::VectorXd d;  // discrete values: change only between steps
  Eigen::VectorXd
      w;  // outcomes of comparisons: 0 below, 1 above, a weight between while sliding; the integer of a floor
  std::vector<ComparisonStatus> comparisons;  // how each is decided
};

}  // namespace armature::internal
