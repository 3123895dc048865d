#include "import/frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace armature::internal {
namespace {

using Eigen::Vector3d;

constexpr double frame_round_off = 1e-15;

TEST(Frame, IsUndoneByItsInverse) {
  const Frame a{turn_by_rpy({0.3, -0.8, 2}), {1, 2, 3}}, b{turn_about({1, 2, -1}, 0.7), {-1, 0, 4}};
  const Vector3d x(0.3, 0.1, -2);
  EXPECT_LT((a * (b * x) - (a * b) * x).norm(), 4 * frame_round_off);
  EXPECT_LT(((a * b).inverse() * ((a * b) * x) - x).norm(), 4 * frame_round_off);
  EXPECT_FALSE(moves(a * a.inverse()));
  EXPECT_TRUE(moves(shifted({0, 0, 1e-9})));
  EXPECT_TRUE(moves({turn_about(Vector3d::UnitX(), 1e-9), Vector3d::Zero()}));
}

// Right-handed: z turns x to y, x turns y to z.
TEST(Frame, TurnsAreRightHandedAndExactAtQuarters) {
  const double quarter = std::numbers::pi / 2;
  EXPECT_EQ(turn_about(Vector3d::UnitZ(), quarter) * Vector3d::UnitX(), Vector3d::UnitY());
  EXPECT_EQ(turn_about(Vector3d::UnitX(), quarter) * Vector3d::UnitY(), Vector3d::UnitZ());
  EXPECT_EQ(turn_about(Vector3d::UnitZ(), -quarter) * Vector3d::UnitX(), -Vector3d::UnitY());
  EXPECT_EQ(turn_about(Vector3d::UnitZ(), 2 * quarter) * Vector3d::UnitX(), -Vector3d::UnitX());
  EXPECT_EQ(turn_about(Vector3d::UnitZ(), 7 * quarter) * Vector3d::UnitX(), -Vector3d::UnitY());
  const Vector3d turned = turn_about(Vector3d::UnitZ(), 0.3) * Vector3d::UnitX();
  EXPECT_LT((turned - Vector3d(std::cos(0.3), std::sin(0.3), 0)).norm(), frame_round_off);
}

TEST(Frame, RollPitchYawComeBack) {
  for (const Vector3d& rpy : {Vector3d(0.3, -0.8, 2), Vector3d(-3, 1.2, -0.1), Vector3d(0, 0, 0)}) {
    EXPECT_LT((rpy_of(turn_by_rpy(rpy)) - rpy).norm(), 4 * frame_round_off);
    const Eigen::Matrix3d R =
        (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
            .toRotationMatrix();
    EXPECT_LT((turn_by_rpy(rpy) - R).norm(), 4 * frame_round_off);
  }
  // upright, roll and yaw are one angle: the same turn comes back
  for (const double way : {1.0, -1.0}) {
    const Eigen::Matrix3d R = turn_by_rpy({0.4, way * std::numbers::pi / 2, 0.9});
    EXPECT_LT((turn_by_rpy(rpy_of(R)) - R).norm(), 4 * frame_round_off);
  }
}

TEST(Frame, TheSmallestTurnTakesOneDirectionToAnother) {
  const Vector3d from(1, 2, -1), to(0.3, -2, 5);
  const Eigen::Matrix3d R = turn_between(from, to);
  EXPECT_LT((R * from.normalized() - to.normalized()).norm(), 4 * frame_round_off);
  EXPECT_LT((R * from.cross(to) - from.cross(to)).norm(), 1e-13);  // about the axis across both
  EXPECT_LT((turn_between(from, -from) * from + from).norm(), 1e-13);
}

TEST(Frame, AnglesCountAboutTheirAxis) {
  const Vector3d axis(1, -2, 0.5);
  for (const double angle : {0.4, -2.9, 0.0}) {
    EXPECT_NEAR(angle_about(axis, turn_about(axis, angle)), angle, 4 * frame_round_off);
    EXPECT_NEAR(angle_about(-axis, turn_about(axis, angle)), -angle, 4 * frame_round_off);
  }
}

TEST(Frame, PerpendicularsFollowTheAxis) {
  EXPECT_EQ(perpendicular(Vector3d::UnitX()), Vector3d::UnitY());
  EXPECT_EQ(perpendicular(-Vector3d::UnitZ()), Vector3d::UnitX());
  const Vector3d n = Vector3d(1, 2, 3).normalized(), across = perpendicular(n);
  EXPECT_NEAR(across.dot(n), 0, frame_round_off);
  EXPECT_NEAR(across.norm(), 1, frame_round_off);
}

}  // namespace
}  // namespace armature::internal
