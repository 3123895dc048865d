// What is computed at samples and held between them.
#include "control/sampled.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

TEST(Sampled, ASampledOutputChangesAtItsSamplesOnly) {
  const Simulation run =
      simulated_text(controlled_disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.1, sampled: {period: 20 ms}",
                                     "end: 0.5, record: 1 ms, rtol: 1e-10") +
                     "record: {quantities: {u: c}}\n");
  const auto t = run.column("t"), u = run.column("u"), x = run.column("turn");
  EXPECT_EQ(u[0], 2);  // the first sample, at t = 0; no rate is known yet
  int changes = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (u[k] == u[k - 1]) continue;
    ++changes;
    // rows at a sample still show what was held before it
    ASSERT_EQ(std::lround(t[k] / 1e-3) % 20, 1) << t[k];
    const double e = 1 - x[k - 1], before = 1 - x[k - 21];
    ASSERT_NEAR(u[k], 2 * e + 0.1 * (e - before) / 0.02, 1e-9);
  }
  EXPECT_EQ(changes, 24);
}

TEST(Sampled, ADelayShiftsTheOutput) {
  for (const auto& [delay, rows] : {std::pair{"5 ms", 5}, {"10 ms", 10}, {"23 ms", 23}}) {
    const Simulation run = simulated_text(
        controlled_disc("type: formula, is: t, sampled: {period: 10 ms, delay: " + std::string(delay) + "}",
                        "end: 0.2, record: 1 ms, rtol: 1e-10") +
        "record: {quantities: {u: c}}\n");
    const auto u = run.column("u");
    for (int k = 0; k < static_cast<int>(u.size()); ++k) {
      const int sample = (k - 1 - rows) >= 0 ? (k - 1 - rows) / 10 : 0;
      ASSERT_NEAR(u[k], 0.01 * sample, 1e-12) << delay << " row " << k;
    }
  }
}

TEST(Sampled, AQuantizedMeasurementIsSeenInSteps) {
  const Simulation run = simulated_text(
      controlled_disc("type: pd, measure: turn, target: 1, kp: 2, sampled: {period: 1 ms, quantization: 0.1}",
                      "end: 0.3, record: 1 ms, rtol: 1e-10") +
      "record: {quantities: {u: c}}\n");
  for (double u : run.column("u")) ASSERT_NEAR(u / 0.2, std::round(u / 0.2), 1e-9);
  EXPECT_LT(run.last("u"), 2);
}

// 1 above zero, else 0, exactly, at any size.
TEST(Sampled, SignsOfSamplesAreExact) {
  for (const double size : {1e-140, 1e-9, 1.0, 1e9, 1e140}) {
    EXPECT_EQ(positive_at_sample(size).value(), 1) << size;
    EXPECT_EQ(positive_at_sample(-size).value(), 0) << size;
  }
  EXPECT_EQ(positive_at_sample(0.0).value(), 0);
}

// To the nearest step, not to the one below: 0.27 is seen as 0.3, and -0.27 as -0.3.
TEST(Sampled, QuantizesToTheNearestStep) {
  for (const double at : {0.27, -0.27, 0.23, 0.0})
    EXPECT_NEAR(
        simulated_text(
            controlled_disc("type: pd, measure: turn, target: 0, kp: 1, sampled: {period: 0.1, quantization: 0.1}",
                            "end: 0.2, record: 0.05", "0") +
            "start: {keep: {turn: " + std::to_string(at) + "}}\n")
            .at(1, "c"),
        -0.1 * std::round(at / 0.1), 1e-13)
        << at;
}

TEST(Sampled, RefusesTimesThatNoSampleHas) {
  const auto said_of = [](const std::string& sampling) -> std::string {
    try {
      prepared_text(controlled_disc("type: pd, measure: turn, target: 0, kp: 1, sampled: {" + sampling + "}"));
    } catch (const ModelError& error) {
      return error.diagnostics().at(0).message;
    }
    return "";
  };
  EXPECT_EQ(said_of("period: 1 ms, delay: 3 s"), "");
  EXPECT_TRUE(said_of("period: 1e-9, delay: 3 s").starts_with("the delay of 3 s lasts for 3e+09 samples"))
      << said_of("period: 1e-9, delay: 3 s");
}

}  // namespace
}  // namespace armature::internal
