// A signal by any formula; of time, the shapes that formulas have for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

TEST(FormulaController, TrajectoriesStartAndEndAsTheyShould) {
  const Simulation run = simulated_text(controlled_disc("type: formula, is: 0", "end: 3, record: 0.25, rtol: 1e-9") +
                                        "define:\n  a: 'unit_step(t, 1)'\n  b: 'ramp(t, 1, 2)'\n  d: 'quintic(t, 1, "
                                        "2)'\n  e: 'trapezoid(t, 1, 2, 0.25)'\n");
  const auto a = run.column("a"), b = run.column("b"), d = run.column("d"), e = run.column("e");
  EXPECT_EQ(a[3], 0);
  EXPECT_EQ(a[5], 1);
  EXPECT_EQ(b[2], 0);
  EXPECT_NEAR(b[5], 0.25, 1e-12);
  EXPECT_EQ(b[12], 1);
  EXPECT_EQ(d[4], 0);
  EXPECT_NEAR(d[5], 0.103515625, 1e-12);
  EXPECT_NEAR(d[6], 0.5, 1e-12);
  EXPECT_EQ(d[12], 1);
  // rises over a quarter of the time, to the rate 4/3
  EXPECT_NEAR(e[5], 1.0 / 6, 1e-12);
  EXPECT_NEAR(e[6], 0.5, 1e-12);
  EXPECT_NEAR(e[7], 5.0 / 6, 1e-12);
  EXPECT_EQ(e[12], 1);
}

TEST(FormulaController, IsItsFormula) {
  const Moment now = moment_of(controlled_disc("type: formula, is: 3*turn - turn'") +
                               "start: {keep: {turn: 0.5}, speed: {turn: 2}}\n");
  EXPECT_NEAR(now["c"], -0.5, 1e-14);
  EXPECT_NEAR(now["turn''"], -0.5 / 0.02, 1e-12);
}

// Held values break the loop of a formula that depends on itself: c_k = 1 - c_(k-1)/2.
TEST(FormulaController, SampledMayUseItself) {
  const Simulation run = simulated_text(
      controlled_disc("type: formula, is: 1 - c/2, sampled: {period: 0.1}", "end: 0.45, record: 0.05", "0"));
  for (int sample = 0; sample < 4; ++sample)
    EXPECT_NEAR(run.at(2 * sample + 1, "c"), 2 / 3.0 * (1 - std::pow(-0.5, sample + 1)), 1e-13) << sample;
}

TEST(FormulaController, HasNothingToQuantize) {
  try {
    prepared_text(controlled_disc("type: formula, is: 1, sampled: {period: 0.1, quantization: 0.1}"));
    FAIL() << "a quantization was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).message, "a formula has no measured quantity to quantize; write floor() in it");
  }
}

}  // namespace
}  // namespace armature::internal
