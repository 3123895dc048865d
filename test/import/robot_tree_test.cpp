#include "import/robot_tree.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

using Eigen::Vector3d;

RobotJoint hinge(const std::string& name, int a, int b, const Vector3d& in_a, const Vector3d& in_b, double start = 0) {
  RobotJoint joint;
  joint.name = name, joint.type = JointType::revolute, joint.a = a, joint.b = b;
  joint.in_a.p = in_a, joint.in_b.p = in_b, joint.start = start;
  return joint;
}

// Two arms of 1 m; the first stands up by 90 degrees about z, the second, named from its own side, is straight.
Robot two_arms() {
  Robot robot;
  robot.bodies.resize(2);
  robot.joints = {hinge("elbow", 1, 0, {0, 0, 0}, {1, 0, 0}),
                  hinge("shoulder", ground_body, 0, {0, 0, 0}, {0, 0, 0}, M_PI / 2)};
  return robot;
}

TEST(RobotTree, PlacesEveryBodyFromTheGround) {
  const RobotTree tree = tree_at_start(two_arms());
  EXPECT_EQ(tree.order, (std::vector<int>{0, 1}));
  EXPECT_EQ(tree.bodies[0].parent, ground_body);
  EXPECT_FALSE(tree.bodies[0].reversed);
  EXPECT_EQ(tree.bodies[1].parent, 0);
  EXPECT_TRUE(tree.bodies[1].reversed);
  EXPECT_EQ(tree.bodies[1].joint, 0);
  EXPECT_LT((tree.pose_of(1).p - Vector3d(0, 1, 0)).norm(), 1e-15);
  EXPECT_LT((tree.pose_of(1) * Vector3d(1, 0, 0) - Vector3d(0, 2, 0)).norm(), 1e-15);
  EXPECT_FALSE(moves(tree.pose_of(ground_body)));
}

TEST(RobotTree, AJointMayBeTurnedAround) {
  RobotJoint joint = hinge("j", 3, 5, {1, 0, 0}, {0, 2, 0});
  ASSERT_TRUE(turn_around(joint));
  EXPECT_EQ(joint.a, 5);
  EXPECT_EQ(joint.b, 3);
  EXPECT_EQ(joint.in_a.p, Vector3d(0, 2, 0));
  EXPECT_EQ(joint.axis, -Vector3d::UnitZ());
  RobotJoint universal = hinge("u", 0, 1, {0, 0, 0}, {0, 0, 0});
  universal.type = JointType::universal, universal.values = {0.3, 0.4};
  ASSERT_TRUE(turn_around(universal));
  EXPECT_EQ(universal.axis, -Vector3d::UnitX());
  EXPECT_EQ(universal.second, -Vector3d::UnitZ());
  EXPECT_EQ(universal.values, (std::vector<double>{0.4, 0.3}));
  RobotJoint ball = hinge("b", 0, 1, {0, 0, 0}, {0, 0, 0});
  ball.type = JointType::spherical;
  EXPECT_FALSE(turn_around(ball));
}

// A triangle whose third joint closes the loop: another one takes its place, the one with the least on it.
TEST(RobotTree, IsCutWhereTheFormatCanCloseTheLoop) {
  Robot robot = two_arms();
  robot.joints.push_back(hinge("tip", 1, ground_body, {1, 0, 0}, {0, 2, 0}));
  robot.joints[2].closes = true;
  robot.joints[1].damping = 3;
  cut_elsewhere(robot, [](const RobotJoint& joint) { return joint.name != "tip"; });
  EXPECT_TRUE(robot.joints[0].closes);
  EXPECT_FALSE(robot.joints[1].closes);
  EXPECT_FALSE(robot.joints[2].closes);
  cut_elsewhere(robot, [](const RobotJoint&) { return true; });
  EXPECT_TRUE(robot.joints[0].closes);
}

}  // namespace
}  // namespace armature::internal
