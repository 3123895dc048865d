#include "import/robot_tree.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "import/joint_chain.hpp"
#include "model/joint_kinds.hpp"

namespace armature::internal {

RobotTree tree_at_start(const Robot& robot) {
  RobotTree tree;
  tree.bodies.resize(robot.bodies.size());
  std::vector<bool> placed(robot.bodies.size(), false);
  const auto is_placed = [&](int body) { return body == ground_body || placed[body]; };
  // A body is placed from the side of a joint that is placed already, until none is left.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = 0; k < robot.joints.size(); ++k) {
      const RobotJoint& joint = robot.joints[k];
      const bool a = is_placed(joint.a), b = is_placed(joint.b);
      if (joint.closes || a == b) continue;
      const int body = a ? joint.b : joint.a, parent = a ? joint.a : joint.b;
      // From a over the joint to b, or the other way round.
      const Frame step = joint.in_a * motion_at_start(joint) * joint.in_b.inverse();
      tree.bodies[body] = {static_cast<int>(k), parent, !a, tree.pose_of(parent) * (a ? step : step.inverse())};
      tree.order.push_back(body);
      placed[body] = more = true;
    }
  }
  return tree;
}

bool turn_around(RobotJoint& joint) {
  std::swap(joint.a, joint.b);
  std::swap(joint.in_a, joint.in_b);
  const JointWords& words = words_of(joint.type);
  if (words.axes != 2 && !words.along_axis()) {
    if (!joint.values.empty()) start_with(joint, motion_at_start(joint).inverse());
    return false;
  }
  if (words.axes == 2) {
    std::swap(joint.axis, joint.second);
    joint.second = -joint.second;
    std::ranges::reverse(joint.values);
  }
  joint.axis = -joint.axis;
  return true;
}

namespace {

std::vector<int> joints_to_ground(const RobotTree& tree, int body) {
  std::vector<int> joints;
  for (; body != ground_body; body = tree.bodies[body].parent) joints.push_back(tree.bodies[body].joint);
  return joints;
}

// Joints between two bodies: those to the ground that only one of them has.
std::vector<int> joints_between(const RobotTree& tree, int a, int b) {
  const std::vector<int> of_a = joints_to_ground(tree, a), of_b = joints_to_ground(tree, b);
  std::vector<int> between;
  for (const auto& [own, other] : {std::pair(&of_a, &of_b), std::pair(&of_b, &of_a)})
    for (const int joint : *own)
      if (std::ranges::find(*other, joint) == other->end()) between.push_back(joint);
  return between;
}

// How much is lost where it closes a loop: formats have few elements there, and no relations.
constexpr int out_of_question = 100;
int burden(const Robot& robot, int index) {
  const RobotJoint& joint = robot.joints[index];
  for (const RobotRelation& relation : robot.relations)
    for (const RobotRelation::Term& term : relation.terms)
      if (term.joint == index) return out_of_question;
  int count = (joint.inertia != 0) + (joint.damping != 0) + (joint.friction != 0) + (joint.stiffness != 0) +
              (joint.lower || joint.upper);
  for (const RobotActuator& actuator : robot.actuators) count += 10 * (actuator.joint == index);
  return count;
}

}  // namespace

void cut_elsewhere(Robot& robot, const std::function<bool(const RobotJoint&)>& can_close) {
  for (std::size_t k = 0; k < robot.joints.size(); ++k) {
    if (!robot.joints[k].closes || can_close(robot.joints[k])) continue;
    const RobotTree tree = tree_at_start(robot);
    RobotJoint& joint = robot.joints[k];
    int best = -1, least = out_of_question;
    for (const int other : joints_between(tree, joint.a, joint.b))
      if (can_close(robot.joints[other]) && burden(robot, other) < least) best = other, least = burden(robot, other);
    if (best < 0) continue;
    joint.closes = false, robot.joints[best].closes = true;
    const Frame a = tree.pose_of(joint.a) * joint.in_a, b = tree.pose_of(joint.b) * joint.in_b;
    start_with(joint, a.inverse() * b);
  }
}

}  // namespace armature::internal
