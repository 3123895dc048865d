// State: everything needed to continue a run exactly.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace armature {

// A comparison's outcome: below (root < 0), above (root >= 0), or sliding along root = 0 with a weight between.
enum class ModeStatus : char { below, above, sliding };

struct State {
  double t = 0;
  Eigen::VectorXd x;  // q, v, z one after the other
  Eigen::VectorXd d;  // discrete values: change only between steps
  Eigen::VectorXd w;  // modes as weights: 0 below, 1 above, between while sliding
  std::vector<ModeStatus> mode;
};

}  // namespace armature
