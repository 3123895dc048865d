// A joint as simple ones, one behind the other: for formats that do not have its type. The rows of model/joints.def say which.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "import/robot.hpp"

namespace armature::internal {

struct ChainPart {
  JointType type;                                        // revolute, prismatic or spherical
  std::string suffix;                                    // of the joint's name: "_slide"
  Eigen::Vector3d axis;                                  // in the joint's frame
  double start = 0;                                      // its value at the start
  Eigen::Matrix3d turned = Eigen::Matrix3d::Identity();  // the same of a spherical one

  Frame motion() const;  // at the start
};

// From a to b. A screw is a slide and a turn; what relates them is left to the caller.
std::vector<ChainPart> chain_of(const RobotJoint& joint);

// A type as URDF and SDFormat write it: "continuous" is "revolute" where it has limits.
std::string type_text(std::string_view name, const RobotJoint& joint);

// The frame of b seen from that of a at the start, and the reverse: values by which the joint moves so.
Frame motion_at_start(const RobotJoint& joint);
void start_with(RobotJoint& joint, const Frame& motion);

}  // namespace armature::internal
