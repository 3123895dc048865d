#include "import/reduce.hpp"

#include <gmock/gmock.h>

namespace armature::internal {
namespace {

using Eigen::Vector3d;

RobotBody heavy(const std::string& name) {
  RobotBody body;
  body.name = name, body.mass.mass = 1;
  return body;
}

RobotJoint between(const std::string& name, JointType type, int a, int b, const Vector3d& in_a,
                   const Vector3d& in_b = Vector3d::Zero()) {
  RobotJoint joint;
  joint.name = name, joint.type = type, joint.a = a, joint.b = b, joint.in_a.p = in_a, joint.in_b.p = in_b;
  return joint;
}

// arm -- tool, a frame without mass 0.3 m further: a point of the arm.
TEST(Reduce, AFixedFrameWithoutMassBecomesAPoint) {
  Robot robot;
  robot.bodies = {heavy("arm"), {}};
  robot.bodies[1].name = "tool";
  robot.joints = {between("hip", JointType::revolute, ground_body, 0, {1, 0, 0}),
                  between("flange", JointType::fixed, 0, 1, {0.3, 0, 0})};
  const std::vector<Frame> poses = reduce(robot);
  ASSERT_EQ(robot.bodies.size(), 1u);
  ASSERT_EQ(robot.joints.size(), 1u);
  ASSERT_EQ(robot.bodies[0].points.size(), 1u);
  EXPECT_EQ(robot.bodies[0].points[0].name, "tool");
  EXPECT_LT((robot.bodies[0].points[0].at - Vector3d(0.3, 0, 0)).norm(), 1e-15);
  EXPECT_LT((poses.at(0).p - Vector3d(1, 0, 0)).norm(), 1e-15);
}

Robot with_closing_balls(int count) {
  Robot robot;
  robot.bodies = {heavy("crank"), heavy("rod")};
  robot.joints = {between("A", JointType::revolute, ground_body, 0, {0, 0, 0}),
                  between("B", JointType::revolute, 0, 1, {1, 0, 0})};
  const Vector3d points[] = {{0, 0, 0}, {0, 0, 0.5}, {0, 0.4, 0}};
  for (int k = 0; k < count; ++k) {
    robot.joints.push_back(between("C" + std::to_string(k), JointType::spherical, 1, ground_body,
                                   Vector3d(1, 0, 0) + points[k], Vector3d(2, 0, 0) + points[k]));
    robot.joints.back().closes = true;
  }
  return robot;
}

// One ball stays one; two on the axis z are a revolute joint about it; of three that are not in line two are.
TEST(Reduce, PointsThatCoincideAreAJoint) {
  Robot one = with_closing_balls(1), two = with_closing_balls(2), three = with_closing_balls(3);
  reduce(one), reduce(two), reduce(three);
  ASSERT_EQ(one.joints.size(), 3u);
  EXPECT_EQ(one.joints[2].type, JointType::spherical);
  ASSERT_EQ(two.joints.size(), 3u);
  EXPECT_EQ(two.joints[2].type, JointType::revolute);
  EXPECT_TRUE(two.joints[2].closes);
  EXPECT_NEAR(std::abs((two.joints[2].in_a.R * two.joints[2].axis).z()), 1, 1e-14);
  EXPECT_THAT(two.loops,
              testing::ElementsAre("C0: closes a loop; the points C0, C1 lie on one axis: a revolute joint"));
  ASSERT_EQ(three.joints.size(), 4u);
  EXPECT_EQ(three.joints[2].type, JointType::spherical);
  EXPECT_EQ(three.joints[3].type, JointType::revolute);
}

// The file does not say which joint closes the loop: the last one that the tree does not need.
TEST(Reduce, FindsTheJointsThatCloseLoops) {
  Robot robot = with_closing_balls(1);
  robot.joints[2].closes = false;
  reduce(robot);
  EXPECT_FALSE(robot.joints[0].closes);
  EXPECT_FALSE(robot.joints[1].closes);
  EXPECT_TRUE(robot.joints[2].closes);
  EXPECT_THAT(robot.loops, testing::ElementsAre("C0: closes a loop"));
}

TEST(Reduce, ABodyThatNothingHoldsMovesFreely) {
  Robot robot;
  robot.bodies = {heavy("ball")};
  reduce(robot);
  ASSERT_EQ(robot.joints.size(), 1u);
  EXPECT_EQ(robot.joints[0].type, JointType::free);
  EXPECT_EQ(robot.joints[0].b, 0);
}

}  // namespace
}  // namespace armature::internal
