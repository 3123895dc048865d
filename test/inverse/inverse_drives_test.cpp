#include "inverse/inverse_drives.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

Eigen::Vector4d sine_and_rates(double w, double t) {
  return {std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t), -w * w * w * std::cos(w * t)};
}

TEST(Twist, WithoutDampingFollowsItsTorque) {
  Twist twist(50, 0);
  const Eigen::Vector4d u = sine_and_rates(3, 0.4);
  EXPECT_LT((twist.advance(0.4, u) - u / 50).norm(), 1e-15);
}

// c s' + k s = sin(w t) from s = 0: steady part (k sin - c w cos)/(k^2 + c^2 w^2), and what dies away with exp(-k t/c).
TEST(Twist, WithDampingLagsBehindItsTorque) {
  const double k = 5, c = 2, w = 3, size = k * k + c * c * w * w;
  Twist twist(k, c);
  Eigen::Vector4d s;
  for (int row = 0; row <= 100; ++row) s = twist.advance(0.01 * row, sine_and_rates(w, 0.01 * row));
  const double expected = (k * std::sin(w) - c * w * std::cos(w) + c * w * std::exp(-k / c)) / size;
  EXPECT_NEAR(s[0], expected, 1e-9);
  EXPECT_NEAR(s[1], (std::sin(w) - k * s[0]) / c, 1e-12);
  EXPECT_NEAR(s[2], (w * std::cos(w) - k * s[1]) / c, 1e-12);
  EXPECT_NEAR(s[3], (-w * w * std::sin(w) - k * s[2]) / c, 1e-12);
}

const std::string cubic = "inverse: {motion: {turn: 2*t^3}}\nsimulate: {end: 0.5, record: 0.05}\n";
const std::string inverted_motor =
    "type: dc_motor, on: turn, torque_constant: 0.5, resistance: 2, inductance: 0.3, rotor_inertia: 1e-3, "
    "viscous_friction: 0.01, ";

// At t = 0.5: x = 0.25, x' = 1.5, x'' = 6, x''' = 12. Shaft -4 times as fast.
TEST(InverseDrives, OfARigidGearGiveCurrentAndVoltage) {
  const InvertedMotion run =
      inverse_motion_of(wanted_disc("drives:\n  m: {" + inverted_motor + "gear_ratio: -4, torque: 0}\n" + cubic));
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const double inertia = 0.02 + 16e-3, friction = 16 * 0.01;
  const double i = (inertia * 6 + friction * 1.5) / (-4 * 0.5), i_rate = (inertia * 12 + friction * 6) / (-4 * 0.5);
  EXPECT_NEAR(run.last("m.torque"), -4 * 0.5 * i, 1e-10);
  EXPECT_NEAR(run.last("m.current"), i, 1e-10);
  EXPECT_NEAR(run.last("m.speed"), -6, 1e-10);
  EXPECT_NEAR(run.last("m.voltage"), 2 * i + 0.5 * -6 + 0.3 * i_rate, 1e-9);
  EXPECT_NEAR(run.last("m.power"), i * run.last("m.voltage"), 1e-9);
}

// u = k s: the rotor leads by the twist that moves the disc, s = 0.02 x''/k, and has its own inertia and friction.
TEST(InverseDrives, OfAnElasticGearAddTheMotionOfTheRotor) {
  const InvertedMotion run = inverse_motion_of(wanted_disc(
      "drives:\n  m: {" + inverted_motor + "gear_ratio: 4, elastic: {stiffness: 50}, torque: 0}\n" + cubic));
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const double s = 0.02 * 6 / 50, s1 = 0.02 * 12 / 50, w = 4 * (1.5 + s1);
  const double torque = 1e-3 * 4 * 6 + 0.01 * w + 0.02 * 6 / 4;  // s'' = 0
  EXPECT_NEAR(run.last("m.rotor"), 4 * (0.25 + s), 1e-9);
  EXPECT_NEAR(run.last("m.speed"), w, 1e-9);
  EXPECT_NEAR(run.last("m.gear_torque"), 0.02 * 6, 1e-10);
  EXPECT_NEAR(run.last("m.current"), torque / 0.5, 1e-9);
}

// A gear of 0.8 takes more from the motor that drives, and gives less back to one that brakes.
TEST(InverseDrives, OfALossyGearKnowTheDirectionOfPower) {
  const auto current = [](const std::string& motion) {
    return inverse_motion_of(wanted_disc("drives: {m: {type: dc_motor, on: turn, torque_constant: 0.5, resistance: 2, "
                                         "efficiency: 0.8, torque: 0}}\n"
                                         "inverse: {motion: {turn: " +
                                         motion + "}}\nsimulate: {end: 0.5, record: 0.05}\n"))
        .at(5, "m.current");
  };
  EXPECT_NEAR(current("t^2"), 0.02 * 2 / 0.8 / 0.5, 1e-12);
  EXPECT_NEAR(current("2*t - t^2"), -0.02 * 2 * 0.8 / 0.5, 1e-12);
}

TEST(InverseDrives, HaveUnitsOfTheirCoordinate) {
  const Prepared start = prepared_text(driven_crank("start: {keep: {crank: 0.3}, near: {slide: 0.6}}\n"));
  EXPECT_EQ(effort_unit(start.system->equations(), "crank"), "N m");
  EXPECT_EQ(effort_unit(start.system->equations(), "slide"), "N");
}

}  // namespace
}  // namespace armature::internal
