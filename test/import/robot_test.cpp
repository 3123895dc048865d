#include "import/robot.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

using Eigen::Vector3d;

// 2 kg at x = 1 and 6 kg at x = 5: 8 kg at 4, and m1 m2/(m1 + m2) d^2 = 24 about the axes across, besides their own.
TEST(RobotMass, AddsUpWithSteiner) {
  RobotMass sum{2, {1, 0, 0}, Vector3d(0.1, 0.2, 0.3).asDiagonal()};
  sum.add({6, {5, 0, 0}, Vector3d(0.4, 0.5, 0.6).asDiagonal()});
  EXPECT_EQ(sum.mass, 8);
  EXPECT_LT((sum.center - Vector3d(4, 0, 0)).norm(), 1e-15);
  EXPECT_LT((sum.inertia - Eigen::Matrix3d(Vector3d(0.5, 24.7, 24.9).asDiagonal())).norm(), 1e-13);
}

TEST(RobotMass, OfNothingAddsNothing) {
  RobotMass sum{2, {1, 0, 0}, Vector3d(0.1, 0.2, 0.3).asDiagonal()};
  sum.add({});
  EXPECT_EQ(sum.mass, 2);
  EXPECT_LT((sum.center - Vector3d(1, 0, 0)).norm(), 1e-15);
}

// Turned by 90 degrees about z, x becomes y: moments change places, the product changes its sign.
TEST(RobotMass, IsSeenFromAnotherFrame) {
  const RobotMass own{2, {1, 0, 0}, symmetric_matrix(1, 0.1, 0.2, 2, 0.3, 2.5)};
  const RobotMass seen = own.seen_from({turn_about(Vector3d::UnitZ(), M_PI / 2), {0, 0, 7}});
  EXPECT_LT((seen.center - Vector3d(0, 1, 7)).norm(), 1e-15);
  EXPECT_LT((seen.inertia - symmetric_matrix(2, -0.1, -0.3, 1, 0.2, 2.5)).norm(), 1e-15);
}

TEST(Robot, FindsItsPartsByName) {
  Robot robot;
  robot.bodies.resize(2), robot.joints.resize(2);
  robot.bodies[1].name = "arm", robot.joints[1].name = "hip";
  EXPECT_EQ(robot.body_named("arm"), 1);
  EXPECT_EQ(robot.body_named("leg"), -2);
  EXPECT_EQ(robot.joint_named("hip"), 1);
  EXPECT_EQ(robot.joint_named("knee"), -1);
  EXPECT_EQ(body_name(robot, 1), "arm");
  EXPECT_EQ(body_name(robot, ground_body), "ground");
  robot.leave_out("a"), robot.leave_out("b"), robot.leave_out("a");
  EXPECT_EQ(robot.not_taken, (std::vector<std::string>{"a", "b"}));
}

// 2 y - 3 x + 5 = 0 with y = 4 + y', x = 1 + x': y' = 3/2 x' + (3 - 5)/2 - 4.
TEST(Robot, CountsRelationsFromTheStart) {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[0].start = 4, robot.joints[1].start = 1;
  const StartRelation of_two = counted_from_start(robot, {"r", {{0, 2}, {1, -3}}, 5});
  EXPECT_NEAR(of_two.ratio, 1.5, 1e-15);
  EXPECT_NEAR(of_two.offset, -5, 1e-15);
  const StartRelation of_one = counted_from_start(robot, {"r", {{0, 2}}, -8});
  EXPECT_EQ(of_one.ratio, 0);
  EXPECT_EQ(of_one.offset, 0);
}

}  // namespace
}  // namespace armature::internal
