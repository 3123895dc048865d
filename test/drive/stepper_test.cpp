// A stepper against its own differential equations; it loses steps beyond its pull-out torque.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "drive/other_drives.hpp"
#include "support/extrapolation.hpp"

namespace armature::internal {
namespace {

const std::string two_phase = "type: stepper, torque_constant: 0.3, resistance: 1.5, ";
constexpr double teeth = 50, K_step = 0.3, R_step = 1.5;

TEST(Stepper, FollowsItsDifferentialEquations) {
  const double L = 4e-3, J = 0.02, d = 0.05, V = 12, detent = 0.02;
  const auto rates = [&](Own t, const OwnState& y) {
    const Own y_e = teeth * 3 * t * t, a = teeth * y[2], w = y[3];
    return OwnState{(V * std::cos(y_e) - R_step * y[0] + K_step * w * std::sin(a)) / L,
                    (V * std::sin(y_e) - R_step * y[1] - K_step * w * std::cos(a)) / L, w,
                    (K_step * (y[1] * std::cos(a) - y[0] * std::sin(a)) - detent * std::sin(4 * a) - d * w) / J};
  };
  const OwnState own = integrated(rates, {0, 0, 0, 0}, 0, 0.5, 2000);
  const Simulation run = simulated_text(driven_disc(
      two_phase + "inductance: 4e-3, detent_torque: 0.02, voltage: 12, angle: 3*t^2",
      "simulate: {end: 0.5, record: 10 ms, rtol: 1e-13, atol: 1e-14, integrator: dop853}", "damping: 0.05"));
  EXPECT_NEAR(run.last("m.current_a"), own[0], 1e-12);
  EXPECT_NEAR(run.last("m.current_b"), own[1], 1e-12);
  EXPECT_NEAR(run.last("turn"), own[2], 1e-12);
  EXPECT_NEAR(run.last("turn'"), own[3], 1e-12);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-10);
}

// Full steps of 1.8 degrees: after each the rotor, damped, rests where the command stands.
TEST(Stepper, TakesWholeSteps) {
  const Simulation run = simulated_text(driven_disc(two_phase + "microsteps: 1, current: 2, angle: 2*pi*t",
                                                    "simulate: {end: 0.0312, record: 1 ms}", "damping: 5"));
  // 6.24 steps are commanded, 6 are taken; the last began at 5.5 steps, 3.7 ms ago
  EXPECT_NEAR(run.last("m.lag") + teeth * run.last("turn") * 2 / std::numbers::pi, 6, 1e-12);
  const Simulation fine = simulated_text(driven_disc(two_phase + "microsteps: 16, current: 2, angle: 2*pi*t",
                                                     "simulate: {end: 0.0312, record: 1 ms}", "damping: 5"));
  EXPECT_NEAR(fine.last("m.lag") + teeth * fine.last("turn") * 2 / std::numbers::pi, 100.0 / 16, 1e-12);
  EXPECT_LT(fine.outcome.statistics.energy_error, 1e-6);
}

// A load that grows slowly: the rotor holds it up to K I, lagging by asin(T/(K I)), and slips beyond.
TEST(Stepper, LosesStepsBeyondItsPullOutTorque) {
  const auto lag = [&](double most) {
    return simulated_text(
               driven_disc(two_phase + "current: 2, angle: 0",
                           fmt::format("forces: {{load: {{type: effort, on: turn, is: '-{}*ramp(t, 0 s, 8 s)'}}}}\n"
                                       "simulate: {{end: 10, record: 0.1, rtol: 1e-9}}",
                                       most),
                           "damping: 0.5"))
        .last("m.lag");
  };
  const double pull_out = K_step * 2;
  EXPECT_NEAR(lag(0.99 * pull_out), std::asin(0.99) * 2 / std::numbers::pi, 1e-4);
  EXPECT_GT(lag(1.01 * pull_out), 4);
}

// With a voltage, turning evenly, it makes at most K V/Z - K^2 w R/Z^2. The angle of the voltage is tried.
TEST(Stepper, PullsOutAtSpeedByItsFormula) {
  const double V = 12, L = 4e-3, w = 6, Z = std::hypot(R_step, teeth * w * L),
               pull_out = K_step * V / Z - K_step * K_step * w * R_step / (Z * Z);
  double best = -1;
  const auto at = [&](double ahead) {
    return simulated_text(
        held_disc(two_phase + fmt::format("inductance: 4e-3, voltage: 12, angle: {}*t + {:.17g}", w, ahead / teeth), w,
                  "end: 0.1, record: 0.1, rtol: 1e-11"));
  };
  // a quarter turn ahead of the rotor, and by the angle of the impedance
  const double lead = std::numbers::pi / 2 + std::atan2(teeth * w * L, R_step);
  for (int k = 0; k < 3; ++k) best = std::max(best, at(lead + (k - 1) * 0.01).last("m.torque"));
  EXPECT_NEAR(best, pull_out, 1e-9);
  EXPECT_NEAR(at(lead).last("m.torque"), pull_out, 1e-9);
  EXPECT_NEAR(at(lead).last("m.pull_out_use"), 1, 1e-9);
}

TEST(Stepper, InverseDynamicsReportsItsUse) {
  const InvertedRun run = inverted_text(driven_disc(
      two_phase + "current: 2, angle: 0", "inverse: {motion: {turn: 5*t^2}}\nsimulate: {end: 1, record: 0.1}"));
  EXPECT_NEAR(run.last("m.pull_out_use"), 0.2 / 0.6, 1e-12);
  EXPECT_NEAR(run.last("m.power"), 0.2 * 10, 1e-12);
}

}  // namespace
}  // namespace armature::internal
