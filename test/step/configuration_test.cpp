// A slide and a ball: qdot = N v with qdot = 1/2 q (0, w) of quaternions.
#include "step/configuration.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace armature::step {
namespace {

// Positions: the quaternion, then the slide; velocities: the slide, then w.
struct BallAndSlide {
  Configuration::Pair plain{4, 0}, ball{0, 1};
  Configuration configuration{
      .nq = 5, .nv = 4, .plain_count = 1, .quaternion_count = 1, .plain = &plain, .quaternions = &ball};
  Row<1> q[5], v[4];
  BallAndSlide() {
    const Eigen::Quaterniond at = Eigen::Quaterniond(0.5, -0.3, 0.7, 0.2).normalized();
    q[0][0] = at.w(), q[1][0] = at.x(), q[2][0] = at.y(), q[3][0] = at.z(), q[4][0] = 0.4;
    v[0][0] = -2, v[1][0] = 0.3, v[2][0] = 1.1, v[3][0] = -0.6;
  }
  Eigen::Quaterniond turn() const { return {q[0][0], q[1][0], q[2][0], q[3][0]}; }
};

TEST(StepConfiguration, RatesAreHalfOfTheProductWithTheAngularVelocity) {
  const BallAndSlide one;
  Row<1> rate[5];
  one.configuration.rate<1>(true, one.q, one.v, rate);
  const Eigen::Quaterniond half = one.turn() * Eigen::Quaterniond(0, 0.15, 0.55, -0.3);
  const double expected[] = {half.w(), half.x(), half.y(), half.z(), -2};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(rate[i][0], expected[i], 1e-15) << i;
}

TEST(StepConfiguration, VelocitiesComeBackFromRates) {
  BallAndSlide one;
  Row<1> rate[5], back[4];
  one.configuration.rate<1>(true, one.q, one.v, rate);
  for (int i = 0; i < 4; ++i) one.q[i][0] *= 3, rate[i][0] *= 3;  // of any norm
  one.configuration.velocity<1>(true, one.q, rate, back);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(back[i][0], one.v[i][0], 1e-15) << i;
}

TEST(StepConfiguration, AdvancesToAUnitQuaternion) {
  BallAndSlide one;
  const Eigen::Quaterniond before = one.turn();
  Row<1> small[4];
  for (int i = 0; i < 4; ++i) small[i][0] = 1e-4 * one.v[i][0];
  one.configuration.advance<1>(true, small, one.q);
  EXPECT_NEAR(one.turn().norm(), 1, 1e-15);
  EXPECT_NEAR(one.q[4][0], 0.4 - 2e-4, 1e-16);
  const Eigen::Vector3d w(0.3e-4, 1.1e-4, -0.6e-4);
  const Eigen::Quaterniond exact = before * Eigen::Quaterniond(Eigen::AngleAxisd(w.norm(), w.normalized()));
  EXPECT_LT((one.turn().coeffs() - exact.coeffs()).norm(), 1e-12);  // second order
}

TEST(StepConfiguration, WithoutBallsVelocitiesAreRates) {
  const Configuration plain{.nq = 2, .nv = 2};
  Row<1> q[2] = {{{1}}, {{2}}}, v[2] = {{{3}}, {{-4}}}, rate[2];
  plain.rate<1>(true, q, v, rate);
  EXPECT_EQ(rate[1][0], -4);
  plain.advance<1>(true, v, q);
  EXPECT_EQ(q[0][0], 4);
  EXPECT_EQ(q[1][0], -2);
}

}  // namespace
}  // namespace armature::step
