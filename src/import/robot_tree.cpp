#include "import/robot_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace armature::internal {

RobotTree tree_at_start(const Robot& robot) {
  RobotTree tree;
  tree.bodies.resize(robot.bodies.size());
  std::vector<bool> placed(robot.bodies.size(), false);
  const auto is_placed = [&](int body) { return body == ground_body || placed[body]; };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = 0; k < robot.joints.size(); ++k) {
      const RobotJoint& joint = robot.joints[k];
      const bool a = is_placed(joint.a), b = is_placed(joint.b);
      if (joint.closes || a == b) continue;
      const int body = a ? joint.b : joint.a, parent = a ? joint.a : joint.b;
      const Frame step = joint.in_a * motion_at_start(joint) * joint.in_b.inverse();
      tree.bodies[body] = {static_cast<int>(k), parent, !a, tree.pose_of(parent) * (a ? step : step.inverse())};
      tree.order.push_back(body);
      placed[body] = more = true;
    }
  }
  return tree;
}

namespace {

// Of a joint whose coordinates have no axis that could point the other way: those of the inverse motion.
void invert_values(RobotJoint& joint) {
  if (joint.values.empty()) return;
  const Frame inverse = motion_at_start(joint).inverse();
  const Eigen::Quaterniond q(inverse.R);
  if (joint.type == JointType::spherical) joint.values = {q.w(), q.x(), q.y(), q.z()};
  if (joint.type == JointType::free)
    joint.values = {inverse.p.x(), inverse.p.y(), inverse.p.z(), q.w(), q.x(), q.y(), q.z()};
}

}  // namespace

bool turn_around(RobotJoint& joint) {
  std::swap(joint.a, joint.b);
  std::swap(joint.in_a, joint.in_b);
  if (joint.type != JointType::revolute && joint.type != JointType::prismatic && joint.type != JointType::fixed &&
      joint.type != JointType::screw && joint.type != JointType::cylindrical && joint.type != JointType::universal) {
    invert_values(joint);
    return false;
  }
  if (joint.type == JointType::universal) {
    std::swap(joint.axis, joint.second);
    joint.second = -joint.second;
    std::ranges::reverse(joint.values);
  }
  joint.axis = -joint.axis;
  return true;
}

}  // namespace armature::internal
