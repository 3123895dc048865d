// When the references from which angles of cut joints are unwrapped must follow the motion (mechanics/cut_joints.cpp):
// before an angle is half a turn away from its own. A body turns by no more than all coordinates of the joints that carry
// it together, quaternions twice; so nothing is to be done until these have moved by `share`.
#pragma once

#include "simulate/prepare.hpp"

namespace armature {

class Turns {
 public:
  explicit Turns(const Prepared& prepared);
  bool due(const Eigen::VectorXd& x);  // the references are to follow now

 private:
  static constexpr double share = 0.5;  // rad, m: a turn of at most 1 rad

  bool any_ = false;      // there are references
  bool bounded_ = true;   // by the coordinates; else they follow after every step
  Eigen::VectorXd from_;  // positions at which they followed
};

}  // namespace armature
