// Something that happened at one time of a run.
#pragma once

#include <Eigen/Core>
#include <string>

namespace armature::internal {

struct RunEvent {
  double t = 0;            // s
  std::string what;        // "theta1: sticks", "x > 5: becomes true"
  Eigen::VectorXd x = {};  // the state there, of a located zero
};

}  // namespace armature::internal
