// The electrical side of a DC motor: limits hold at both ends, and powers are those of the terminals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drive/dc_disc.hpp"

namespace armature::internal {
namespace {

TEST(Winding, CurrentLimitHoldsExactly) {
  for (const char* inductance : {"", "inductance: 5 mH, "}) {
    const Simulation run = simulated_text(dc_disc(dc_constants + inductance + "limits: {current: 1.5}, voltage: 6"));
    double largest = 0;
    for (double i : run.column("m.current")) largest = std::max(largest, std::abs(i));
    EXPECT_NEAR(largest, 1.5, 1e-9) << inductance;
    EXPECT_LE(largest, 1.5 + 1e-9) << inductance;
    EXPECT_LT(run.last("m.current"), 1.5);  // the speed has risen
  }
}

TEST(Winding, VoltageLimitHoldsExactly) {
  const Simulation run = simulated_text(dc_disc(dc_constants + "limits: {voltage: 4}, voltage: 10*sin(20*t)"));
  double largest = 0;
  for (double V : run.column("m.voltage")) largest = std::max(largest, std::abs(V));
  EXPECT_EQ(largest, 4);
}

TEST(Winding, SpeedLimitHoldsExactly) {
  const Simulation run =
      simulated_text(dc_disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, viscous_friction: 0.001, "
                             "limits: {speed: 10}, current: 1"));
  double largest = 0;
  for (double w : run.column("m.speed")) largest = std::max(largest, std::abs(w));
  EXPECT_NEAR(largest, 10, 1e-9);
  EXPECT_NEAR(run.last("m.speed"), 10, 1e-9);
  EXPECT_NEAR(run.last("m.current"), 0.001 * 10 / 0.5, 1e-9);  // what the friction takes
}

// At fixed steps comparisons are not located, but what is limited is limited at every evaluation and in every row.
TEST(Winding, LimitsHoldAtFixedSteps) {
  const std::string more = "simulate: {end: 1, record: 1 ms, integrator: rk4, step: 7 ms}";
  const auto largest = [](const std::vector<double>& column) {
    return std::abs(
        *std::max_element(column.begin(), column.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  };
  const Simulation volts = simulated_text(dc_disc(dc_constants + "limits: {voltage: 4}, voltage: 10*sin(20*t)", more));
  EXPECT_EQ(largest(volts.column("m.voltage")), 4);
  const Simulation amperes =
      simulated_text(dc_disc(dc_constants + "limits: {current: 1.5}, voltage: 10*sin(20*t)", more));
  EXPECT_EQ(largest(amperes.column("m.current")), 1.5);
}

// 6 V drive 3 A through 2 Ohm at rest, of which 1.5 A are left; either way.
TEST(Winding, IsLimitedInBothDirections) {
  for (const double way : {1.0, -1.0}) {
    const auto at_rest = [way](const std::string& limits) {
      return moment_of(dc_disc(dc_constants + "limits: {" + limits + "}, voltage: " + std::to_string(6 * way), ""));
    };
    EXPECT_NEAR(at_rest("current: 1.5")["m.current"], 1.5 * way, 1e-13);
    EXPECT_NEAR(at_rest("current: 1.5")["m.voltage"], 3 * way, 1e-13);
    EXPECT_NEAR(at_rest("voltage: 4")["m.voltage"], 4 * way, 1e-13);
    EXPECT_NEAR(at_rest("voltage: 4")["m.current"], 2 * way, 1e-13);
  }
}

// 20 rad/s of the disc are -80 rad/s of the shaft, beyond 50 rad/s: the current of 1 A brakes, whichever way it was to drive.
TEST(Winding, BrakesAboveItsSpeedLimitInBothDirections) {
  for (const double way : {1.0, -1.0})
    for (const char* current : {"1", "-1"}) {
      const Moment now = moment_of(dc_disc(dc_constants + "limits: {speed: 50}, current: " + current,
                                           "start: {speed: {turn: " + std::to_string(20 * way) + "}}\n"));
      EXPECT_NEAR(now["m.current"], way, 1e-13);  // against the shaft, which turns the other way
      EXPECT_LT(now["turn''"] * way, 0);
    }
}

// L i' = V - R i - K w, and the powers: V i = R i^2 + K i w + L i i'.
TEST(Winding, StoresAndBurnsWhatItsTerminalsTake) {
  using namespace dc_letters;
  const Moment now = moment_of(dc_disc(dc_constants + "inductance: 0.05, voltage: 6",
                                       "start: {keep: {turn: 0, m.current: 1.5 A}, speed: {turn: 2}}\n"));
  EXPECT_NEAR(now["m.current'"], (6 - R * 1.5 - K * r * 2) / 0.05, 1e-11);
  EXPECT_NEAR(now["energy.magnetic"], 0.5 * 0.05 * 2.25, 1e-14);
  EXPECT_NEAR(now["heat.joule'"], R * 2.25, 1e-12);
  EXPECT_NEAR(now["work.electrical'"], 9, 1e-12);
  EXPECT_NEAR(now["m.power"], 9, 1e-12);
}

// The amplifier takes its voltage away beyond the limit: the winding sees R times too little, and the current falls back.
TEST(Winding, IsChoppedBeyondItsCurrentLimit) {
  using namespace dc_letters;
  for (const double way : {1.0, -1.0}) {
    const auto rate = [way](double current) {
      return moment_of(dc_disc(
                 dc_constants + "inductance: 0.05, limits: {current: 1}, voltage: " + std::to_string(12 * way),
                 "start: {keep: {turn: 0, m.current: " + std::to_string(current * way) + " A}}\n"))["m.current'"] *
             way;
    };
    EXPECT_NEAR(rate(0.5), (12 - R * 0.5) / 0.05, 1e-9);
    EXPECT_NEAR(rate(1.5), -R * 1 / 0.05, 1e-9);
  }
}

TEST(Winding, SaysWhichLimitsItCannotHold) {
  const auto said_of = [](const std::string& motor) -> std::string {
    try {
      prepared_text(dc_disc(dc_constants + motor, ""));
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(said_of("limits: {voltage: 4}, current: 1"), "a voltage limit needs a motor that is driven by a voltage");
  EXPECT_TRUE(said_of("inductance: 0.05, limits: {speed: 4}, voltage: 1")
                  .starts_with("a speed limit needs a motor without inductance"));
}

}  // namespace
}  // namespace armature::internal
