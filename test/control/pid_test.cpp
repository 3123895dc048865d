// PD and PID on a disc of 0.02 kg m^2, where the closed loop has a closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

// J x'' = kp (1 - x) - kd x' with a damping ratio below 1.
TEST(Pid, PdMovesAsTheClosedForm) {
  const Simulation run = simulated_text(controlled_disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.1"));
  const double s = 0.1 / 0.04, f = std::sqrt(2 / 0.02 - s * s);
  const auto t = run.column("t"), x = run.column("turn");
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(x[k], 1 - std::exp(-s * t[k]) * (std::cos(f * t[k]) + s / f * std::sin(f * t[k])), 1e-8);
}

TEST(Pid, TheIntegralTakesAwayTheErrorUnderLoad) {
  const std::string end = "end: 20, record: 0.1, rtol: 1e-9";
  const Simulation pd =
      simulated_text(controlled_disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.2", end, "c - 0.5"));
  EXPECT_NEAR(pd.last("turn"), 1 - 0.5 / 2, 1e-6);
  const Simulation pid =
      simulated_text(controlled_disc("type: pid, measure: turn, target: 1, kp: 2, ki: 2, kd: 0.2", end, "c - 0.5"));
  EXPECT_NEAR(pid.last("turn"), 1, 1e-6);
}

// A far target holds the output at its limit for long; without anti-windup the integral would then overshoot by far.
TEST(Pid, LimitsHoldAndTheIntegralDoesNotWindUp) {
  const std::string more = "record: {quantities: {u: c}}\n",
                    gains = "type: pid, measure: turn, target: 5, kp: 2, ki: 2, kd: 0.4, ";
  const std::string end = "end: 20, record: 0.01, rtol: 1e-9";
  auto overshoot = [](const Simulation& run) {
    const auto x = run.column("turn");
    return *std::max_element(x.begin(), x.end()) - 5;
  };
  const Simulation tracked = simulated_text(controlled_disc(gains + "limits: {lower: -0.1, upper: 0.1}", end) + more);
  for (double u : tracked.column("u")) ASSERT_LE(std::abs(u), 0.1);
  const Simulation winding =
      simulated_text(controlled_disc(gains + "limits: {lower: -0.1, upper: 0.1}, tracking_time: 1e6", end) + more);
  EXPECT_LT(overshoot(tracked), 0.3 * overshoot(winding));
}

// Without a proportional part the tracking time is 1 s: I' = e + (u - I) settles at 3/2 behind a limit of 1/2. From the time on at which e
// turns from 1 to -1, I = -1/2 + 2 exp(-t), which leaves the limit at ln 2; from there on u falls by 1 a second.
TEST(Pid, AnIntegralAloneTracksItsLimitWithinASecond) {
  const Simulation run = simulated_text(
      controlled_disc("type: pid, measure: turn, target: 'if(t < 20, 1, -1)', kp: 0, ki: 1, limits: {upper: 0.5}",
                      "end: 21, record: 0.5, rtol: 1e-10", "0") +
      "record: {quantities: {u: c}}\n");
  EXPECT_NEAR(run.at(41, "u"), 0.5, 1e-12);
  EXPECT_NEAR(run.at(42, "u"), 0.5 - (1 - std::log(2)), 1e-7);
}

// The rate of what a controller integrates is known to formulas: c = 2 e + I, c' = 2 e' + e.
TEST(Pid, RatesOfStatesAreKnown) {
  const Simulation run = simulated_text(controlled_disc("type: pid, measure: turn, target: 1, kp: 2, ki: 1") +
                                        "record: {quantities: {rate: \"c'\"}}\n");
  const auto rate = run.column("rate"), x = run.column("turn"), v = run.column("turn'");
  for (std::size_t k = 0; k < rate.size(); ++k) ASSERT_NEAR(rate[k], -2 * v[k] + 1 - x[k], 1e-9);
}

// u = kp e + kd e' at once, with e = 1 - 0.3 and e' = -2; the integral begins to grow by e.
TEST(Pid, AddsItsParts) {
  const Moment now = moment_of(controlled_disc("type: pid, measure: turn, target: 1, kp: 2, ki: 5, kd: 0.1") +
                               "start: {keep: {turn: 0.3}, speed: {turn: 2}}\n");
  EXPECT_NEAR(now["c"], 2 * 0.7 - 0.1 * 2, 1e-13);
  EXPECT_NEAR(now["c.integral'"], 0.7, 1e-13);
  EXPECT_NEAR(now["turn''"], 1.2 / 0.02, 1e-11);
}

// Beyond a limit the integral is taken back by the excess over ki and the tracking time, kp/ki = 0.4 s: at either limit.
TEST(Pid, TakesItsIntegralBackAtBothLimits) {
  for (const double way : {1.0, -1.0}) {
    const Moment now = moment_of(controlled_disc("type: pid, measure: turn, target: " + std::to_string(way) +
                                                 ", kp: 2, ki: 5, limits: {lower: -0.5, upper: 0.25}"));
    const double bound = way > 0 ? 0.25 : -0.5;
    EXPECT_NEAR(now["c"], bound, 1e-14);
    EXPECT_NEAR(now["c.integral'"], way + (bound - 2 * way) / (5 * 0.4), 1e-13);
  }
}

// Sampled every 0.1 s under a constant error of 0.7 (nothing pushes): I_k = 0.07 (k + 1), and u = 2 e + 5 I.
TEST(Pid, SampledAddsUpItsIntegral) {
  const std::string loop = "type: pid, measure: turn, target: 0.7, kp: 2, ki: 5, kd: 3, sampled: {period: 0.1}";
  const Simulation run = simulated_text(controlled_disc(loop, "end: 0.45, record: 0.05", "0"));
  for (int sample = 0; sample < 4; ++sample)
    EXPECT_NEAR(run.at(2 * sample + 1, "c"), 1.4 + 5 * 0.07 * (sample + 1), 1e-12) << sample;
}

// Limited to 0.5 the integral is taken back by (0.5 - u) T/(ki (T + kp/ki)) at every sample; without an error it is all of the output.
TEST(Pid, SampledTakesItsIntegralBack) {
  double integral = 0;
  for (int sample = 0; sample < 4; ++sample) {
    integral += 0.1 * 0.7;
    integral += (0.5 - (1.4 + 5 * integral)) * 0.1 / (5 * (0.1 + 0.4));
  }
  for (const double way : {1.0, -1.0}) {
    const Simulation run = simulated_text(
        controlled_disc("type: pid, measure: turn, target: 'if(t < 0.35, " + std::to_string(0.7 * way) +
                            ", 0)', kp: 2, ki: 5, limits: {lower: -0.5, upper: 0.5}, sampled: {period: 0.1}",
                        "end: 0.45, record: 0.05", "0"));
    EXPECT_NEAR(run.at(7, "c"), 0.5 * way, 1e-14);
    EXPECT_NEAR(run.at(9, "c"), 5 * integral * way, 1e-12);
  }
}

// The derivative of the first sample is zero, that of the next ones the difference over the period.
TEST(Pid, SampledDifferencesItsError) {
  const Simulation run = simulated_text(controlled_disc(
      "type: pd, measure: turn, target: t^2, kp: 1, kd: 3, sampled: {period: 0.1}", "end: 0.35, record: 0.05", "0"));
  EXPECT_NEAR(run.at(1, "c"), 0, 1e-14);
  EXPECT_NEAR(run.at(3, "c"), 0.01 + 3 * 0.1, 1e-13);
  EXPECT_NEAR(run.at(5, "c"), 0.04 + 3 * 0.3, 1e-13);
  EXPECT_TRUE(run.outcome.last.d.allFinite());  // without an integral nothing is divided by its gain
}

TEST(Pid, SaysWhatItCannotDo) {
  const auto said_of = [](const std::string& controller) -> std::string {
    try {
      prepared_text(controlled_disc(controller));
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(said_of("type: pd, measure: turn, target: 1, kp: 1, ki: 1"),
            "a pd controller has no integral; write type: pid");
  EXPECT_EQ(said_of("type: pd, measure: \"turn'\", target: 1, kp: 1, kd: 1"),
            "kd needs the rate of the measured quantity, which is itself a velocity; leave kd out, or sample");
  EXPECT_EQ(said_of("type: pd, measure: turn, target: 1, kp: 1, limits: {lower: 1, upper: 0.9}"),
            "the lower limit is above the upper one");
}

}  // namespace
}  // namespace armature::internal
