// A robot of two arms for the writers of formats.
#pragma once

#include "import/robot_formats.hpp"

namespace armature::internal {

inline Robot written_arms() {
  Robot robot;
  robot.name = "arms";
  robot.bodies.resize(2);
  robot.bodies[0].name = "upper", robot.bodies[1].name = "lower";
  robot.bodies[0].mass = {2, {0.5, 0, 0}, symmetric_matrix(0.1, 0.01, 0, 0.2, 0, 0.3)};
  robot.bodies[1].mass = {1, {0.25, 0, 0}, symmetric_matrix(0.1, 0, 0, 0.1, 0, 0.1)};
  robot.joints.resize(2);
  RobotJoint &hip = robot.joints[0], &knee = robot.joints[1];
  hip.name = "hip", hip.type = JointType::revolute, hip.b = 0, hip.in_a.p = {0, 0, 1}, hip.axis = {0, 1, 0};
  knee.name = "knee", knee.type = JointType::revolute, knee.a = 0, knee.b = 1, knee.in_a.p = {1, 0, 0},
  knee.axis = {0, 1, 0};
  hip.damping = 0.1, hip.friction = 0.2, hip.lower = -1, hip.upper = 2;
  knee.stiffness = 5, knee.rest = 0.3, knee.inertia = 0.04;
  RobotActuator motor;
  motor.name = "drive", motor.joint = 0, motor.gear = 20;
  robot.actuators = {motor};
  return robot;
}

struct WrittenRobot {
  std::string text;
  std::vector<std::string> not_said;
};
inline WrittenRobot written_as(const std::string& format) {
  WrittenRobot robot;
  robot.text = robot_format(format).write(written_arms(), robot.not_said);
  return robot;
}

}  // namespace armature::internal
