// Computed torque makes the error of a closed loop linear, whatever the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

// e'' + kd e' + kp e = 0, whatever the machine.
TEST(ComputedTorque, ComputedTorqueMakesTheErrorLinear) {
  const Simulation run =
      simulated_text(std::string(controlled_crank) +
                     "controllers: {ctc: {type: computed_torque, on: [crank], target: ['sin(3*t)'], kp: 25, kd: 6}}\n"
                     "drives: {m: {type: dc_motor, on: crank, torque_constant: 0.2, resistance: 1, gear_ratio: 10, "
                     "rotor_inertia: 1e-4, torque: ctc.crank}}\n");
  // e(0) = -0.7, e'(0) = 3;  roots -3 +- 4i
  const auto t = run.column("t"), x = run.column("crank");
  const double a = -0.7, b = (3 + 3 * a) / 4;
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(std::sin(3 * t[k]) - x[k], std::exp(-3 * t[k]) * (a * std::cos(4 * t[k]) + b * std::sin(4 * t[k])),
                1e-8);
}

// Sampled, the same law holds in the limit of short periods, and the effort changes at samples only.
TEST(ComputedTorque, ComputedTorqueMayBeSampled) {
  const auto largest_error = [](const std::string& period) {
    const Simulation run = simulated_text(std::string(controlled_crank) +
                                          "controllers: {ctc: {type: computed_torque, on: [crank], target: "
                                          "['sin(3*t)'], kp: 25, kd: 6, sampled: {period: " +
                                          period + "}}}\nforces: {drive: {type: effort, on: crank, is: ctc.crank}}\n");
    const auto t = run.column("t"), x = run.column("crank"), u = run.column("ctc.crank");
    const double a = -0.7, b = (3 + 3 * a) / 4;
    double largest = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double e = std::exp(-3 * t[k]) * (a * std::cos(4 * t[k]) + b * std::sin(4 * t[k]));
      largest = std::max(largest, std::abs(std::sin(3 * t[k]) - x[k] - e));
      if (period == "40 ms" && k > 1 && (k - 1) % 4 != 0) {
        EXPECT_EQ(u[k], u[k - 1]) << t[k];
      }
    }
    return largest;
  };
  const double coarse = largest_error("40 ms"), fine = largest_error("4 ms");
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(coarse / fine, 10, 4);  // the error of holding is proportional to the period
}

// x'' = target'' + kd (target' - x') + kp (target - x) on two coordinates at once.
TEST(ComputedTorque, GivesEachCoordinateTheAccelerationItWants) {
  const Moment now = moment_of(
      "gravity: [0, -10, 0]\nplane: xy\nbodies: {upper: {mass: 2, center: [0.3, 0, 0], inertia: {zz: 0.1}}, lower: "
      "{mass: 1, center: [0.2, 0, 0], inertia: {zz: 0.1}}}\n"
      "joints: {a: {type: revolute, between: [ground, upper]}, b: {type: revolute, between: [\"upper [0.5, 0, 0]\", "
      "lower]}}\n"
      "controllers: {ctc: {type: computed_torque, on: [a, b], target: ['t^2', '1 - 3*t'], kp: 25, kd: 6}}\n"
      "forces: {first: {type: effort, on: a, is: ctc.a}, second: {type: effort, on: b, is: ctc.b}}\n"
      "start: {keep: {a: 0.4, b: -0.7}, speed: {a: 2, b: 1}}\n");
  EXPECT_NEAR(now["a''"], 2 + 6 * (0 - 2) + 25 * (0 - 0.4), 1e-10);
  EXPECT_NEAR(now["b''"], 0 + 6 * (-3 - 1) + 25 * (1 + 0.7), 1e-10);
}

TEST(ComputedTorque, NeedsATargetOfTimeForEachCoordinate) {
  const auto said_of = [](const std::string& target) -> std::string {
    try {
      prepared_text(std::string(controlled_crank) + "controllers: {ctc: {type: computed_torque, on: [crank], target: " +
                    target + ", kp: 25}}\nforces: {drive: {type: effort, on: crank, is: ctc.crank}}\n");
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(said_of("[t]"), "");
  EXPECT_EQ(said_of("[t, t]"), "the list of targets must be as long as the list of coordinates");
  EXPECT_EQ(said_of("[slide]"), "the acceleration of the target must depend on t alone");
}

}  // namespace
}  // namespace armature::internal
