// The gear of a drive: rigid, elastic, with backlash and with losses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drive/dc_disc.hpp"

namespace armature::internal {
namespace {

// A stiff gear follows the rigid one; energy is kept all the same.
TEST(Gear, ElasticGearTendsToTheRigidOne) {
  using namespace dc_letters;
  const std::string more = "simulate: {end: 0.5, record: 1 ms, rtol: 1e-10}";
  const Simulation rigid = simulated_text(dc_disc(dc_constants + "voltage: 6", more));
  const Simulation elastic =
      simulated_text(dc_disc(dc_constants + "elastic: {stiffness: 1e5, damping: 10}, voltage: 6", more));
  EXPECT_NEAR(elastic.last("turn"), rigid.last("turn"), 1e-4 * std::abs(rigid.last("turn")));
  EXPECT_NEAR(elastic.at(0, "m.rotor"), 0, 1e-12);
  EXPECT_NEAR(elastic.last("m.rotor") / r, elastic.last("turn"), 1e-4);
  EXPECT_LT(elastic.outcome.statistics.energy_error, 1e-8);
}

// Within the free play the rotor turns alone.
TEST(Gear, BacklashLetsTheRotorTurnAlone) {
  const Simulation run =
      simulated_text(dc_disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, gear_ratio: 4, "
                             "elastic: {stiffness: 1e4, damping: 1, backlash: 0.02}, current: 0.01",
                             "simulate: {end: 0.2, record: 1 ms, rtol: 1e-10}"));
  const auto t = run.column("t"), rotor = run.column("m.rotor"), turn = run.column("turn");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double free = 0.5 * 0.5 * 0.01 / 1e-3 * t[k] * t[k];
    if (free / 4 > 0.01) {
      EXPECT_GT(run.last("turn"), 0);
      return;
    }
    ASSERT_NEAR(rotor[k], free, 1e-9);
    ASSERT_EQ(turn[k], 0);
  }
  FAIL() << "the play was never used up";
}

// Viscous friction stands on the motor's side: the gear passes its share of K_m i - d w. At constant speed the joint's own
// damping b takes all of it: n r (K_m i - r d x') = b x'.
TEST(Gear, EfficiencyActsBehindTheMotorsFriction) {
  const Simulation run = simulated_text(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
      "joints: {turn: {type: revolute, between: [ground, disc], damping: 0.5}}\n"
      "drives: {m: {type: dc_motor, on: turn, torque_constant: 0.5, resistance: 2, gear_ratio: 4, viscous_friction: "
      "0.01, "
      "efficiency: 0.8, current: 0.2}}\nsimulate: {end: 20, record: 1, rtol: 1e-10}");
  const double speed = 0.8 * 4 * 0.5 * 0.2 / (0.5 + 0.8 * 16 * 0.01);
  EXPECT_NEAR(run.last("turn'"), speed, 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8);
}

TEST(Gear, EfficiencyLosesItsShare) {
  const Simulation run =
      simulated_text(dc_disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, efficiency: 0.8, current: 0.2"));
  EXPECT_NEAR(run.last("turn'"), 0.8 * 4 * 0.5 * 0.2 / 0.02, 1e-8);
  EXPECT_NEAR(run.last("heat.friction"), 0.2 * (run.last("work.electrical") - run.last("heat.joule")), 1e-8);
}

// The rotor of 1e-3 kg m^2 stands 0.1 rad behind its place and turns 0.8 rad/s too slowly, at the disc: s = -0.1, s' = -0.8.
TEST(Gear, OfASpringPullsRotorAndDisc) {
  const Moment now =
      moment_of(dc_disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, gear_ratio: -4, current: 0, "
                        "elastic: {stiffness: 50, damping: 2}",
                        "start: {keep: {turn: 0.3, m.rotor: -0.8}, speed: {turn: 1, m.rotor: -0.8}}\n"));
  const double torque = -50 * 0.1 - 2 * 0.8;
  EXPECT_NEAR(now["turn''"], torque / 0.02, 1e-11);
  EXPECT_NEAR(now["m.rotor''"], torque / 4 / 1e-3, 1e-9);
  EXPECT_NEAR(now["m.gear_torque"], torque, 1e-12);
  EXPECT_NEAR(now["energy.elastic"], 25 * 0.01, 1e-13);
}

// Flanks 0.04 apart: 0.1 beyond its place either way leaves 0.08 of pushing.
TEST(Gear, WithBacklashPushesBothWays) {
  for (const double way : {1.0, -1.0}) {
    const Moment now =
        moment_of(dc_disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, gear_ratio: 4, current: 0, "
                          "elastic: {stiffness: 50, damping: 2, backlash: 0.04}",
                          "start: {keep: {turn: 0, m.rotor: " + std::to_string(0.4 * way) + "}}\n"));
    EXPECT_NEAR(now["m.gear_torque"], 50 * 0.08 * way, 1e-12);
    EXPECT_NEAR(now["turn''"], 50 * 0.08 * way / 0.02, 1e-10);
  }
}

TEST(Gear, StartsRelaxedAndWithTheSpeedOfItsCoordinate) {
  const Moment now =
      moment_of(dc_disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, gear_ratio: -4, current: 0, "
                        "elastic: {stiffness: 50}",
                        "start: {keep: {turn: 0.3}, speed: {turn: 2}}\n"));
  EXPECT_NEAR(now["m.rotor"], -1.2, 1e-12);
  EXPECT_NEAR(now["m.rotor'"], -8, 1e-12);
}

// A wheel of 0.05 m behind a gear of 3 moves a length: 60 shaft radians a metre.
TEST(Gear, OfALengthGoesByTheRadiusOfItsWheel) {
  const Moment now = moment_of(
      "gravity: [0, 0, 0]\nbodies: {car: {mass: 2}}\njoints: {roll: {type: prismatic, axis: x, between: [ground, "
      "car]}}\n"
      "drives: {m: {type: dc_motor, on: roll, gear_ratio: 3, radius: 0.05, torque_constant: 0.5, resistance: 2, "
      "current: 4}}\n"
      "start: {speed: {roll: 0.5}}\n");
  EXPECT_NEAR(now["m.speed"], 30, 1e-12);
  EXPECT_NEAR(now["m.torque"], 120, 1e-12);
  EXPECT_NEAR(now["roll''"], 60, 1e-12);
}

// Of T w it passes n T w where the motor drives and T w/n where it brakes; the difference is heat.
TEST(Gear, LosesItsShareInBothDirections) {
  for (const double way : {1.0, -1.0})
    for (const double current : {0.2, -0.2}) {
      const Moment now = moment_of(dc_disc(
          fmt::format("torque_constant: 0.5, resistance: 2, gear_ratio: 4, efficiency: 0.8, current: {}", current),
          fmt::format("start: {{speed: {{turn: {}}}}}\n", way)));
      const double passed = 4 * 0.5 * current * (current * way > 0 ? 0.8 : 1 / 0.8);
      EXPECT_NEAR(now["turn''"], passed / 0.02, 1e-11);
      EXPECT_NEAR(now["heat.friction'"], (2 * current - passed) * way, 1e-13);
      EXPECT_GT(now["heat.friction'"], 0);
    }
}

}  // namespace
}  // namespace armature::internal
