#include "dynamics/configuration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>

#include "dynamics/equation_systems.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;

// A slide, a ball joint, a slide: q = (s, quaternion, r), v = (s', w, r').
Configuration ball_between_slides() {
  hand::Writer w;
  for (int i = 0; i < 6; ++i) w.e->q.push_back(w.e->graph->input("q" + std::to_string(i)));
  for (int i = 0; i < 5; ++i) w.e->v.push_back(w.e->graph->input("v" + std::to_string(i)));
  w.e->quaternions = {{1, 1}};
  return Configuration(*w.e);
}

TEST(Configuration, KnowsWhichPositionsFollowWhichVelocities) {
  const Configuration configuration = ball_between_slides();
  EXPECT_EQ(configuration.position_of(0), 0);
  EXPECT_EQ(configuration.position_of(2), -1);
  EXPECT_EQ(configuration.position_of(4), 5);
  EXPECT_FALSE(configuration.is_quaternion(0));
  EXPECT_TRUE(configuration.is_quaternion(4));
  EXPECT_FALSE(configuration.is_quaternion(5));
}

TEST(Configuration, RateOfAQuaternionIsThatOfATurnAboutOneAxis) {
  const Configuration configuration = ball_between_slides();
  // turning about z with 2 rad/s at an angle of 0.6 rad: q = (cos 0.3, 0, 0, sin 0.3)
  VectorXd q(6), v(5), rate(6), back(5);
  q << 1, std::cos(0.3), 0, 0, std::sin(0.3), 2;
  v << 3, 0, 0, 2, 4;
  configuration.rate(q.data(), v.data(), rate.data());
  EXPECT_DOUBLE_EQ(rate[0], 3);
  EXPECT_NEAR(rate[1], -std::sin(0.3), 1e-16);
  EXPECT_NEAR(rate[4], std::cos(0.3), 1e-16);
  EXPECT_DOUBLE_EQ(rate[5], 4);
}

TEST(Configuration, VelocityUndoesRate) {
  const Configuration configuration = ball_between_slides();
  VectorXd q(6), v(5), rate(6), back(5);
  q << 1, 0.4, -0.2, 0.7, 0.5, 2;  // of any length
  v << 3, 0.3, -1.1, 2, 4;
  configuration.rate(q.data(), v.data(), rate.data());
  configuration.velocity(q.data(), rate.data(), back.data());
  EXPECT_LT((back - v).norm(), 1e-15);
}

TEST(Configuration, AdvanceKeepsQuaternionsNormalized) {
  const Configuration configuration = ball_between_slides();
  VectorXd q(6), dv(5);
  q << 0, 1, 0, 0, 0, 0;
  dv << 0.1, 0.2, 0.3, -0.1, 0.5;
  configuration.advance(q.data(), dv.data());
  EXPECT_NEAR(q.segment(1, 4).norm(), 1, 1e-15);
  EXPECT_DOUBLE_EQ(q[0], 0.1);
  EXPECT_DOUBLE_EQ(q[5], 0.5);
}

}  // namespace
}  // namespace armature::internal
