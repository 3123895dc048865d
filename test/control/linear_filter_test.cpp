// Linear filters by their transfer functions, against step responses in closed form.
#include "control/linear_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "control/filtered.hpp"

namespace armature::internal {
namespace {

// (s + 3)/(s^2 + 3 s + 2) = 2/(s + 1) - 1/(s + 2), after a step.
TEST(LinearFilter, TransferFunctionHasItsStepResponse) {
  const Simulation run =
      simulated_text(filtered("f: {type: transfer_function, of: 1, numerator: [2, 6], denominator: [2, 6, 4]}"));
  for (int row = 0; row <= 40; ++row) {
    const double t = 0.05 * row;
    EXPECT_NEAR(run.at(row, "f"), 2 * (1 - std::exp(-t)) - 0.5 * (1 - std::exp(-2 * t)), 1e-8) << row;
  }
}

// Lead: the input appears at once.
TEST(LinearFilter, TransferFunctionMayPassItsInput) {
  const Simulation run =
      simulated_text(filtered("f: {type: transfer_function, of: 1, numerator: [3, 1], denominator: [1, 1]}"));
  EXPECT_NEAR(run.at(0, "f"), 3, 1e-12);
  EXPECT_NEAR(run.at(40, "f"), 1 + 2 * std::exp(-2.0), 1e-8);
}

// A filter without direct passage breaks the loop of a signal that depends on itself.
TEST(LinearFilter, BreakAlgebraicLoops) {
  const Simulation run =
      simulated_text(filtered("u: {type: formula, is: 1 - f}, f: {type: low_pass, of: u, frequency: 1/(2*pi)*(1 Hz)}"));
  EXPECT_NEAR(run.at(40, "f"), 0.5 * (1 - std::exp(-4.0)), 1e-8);
}

// 4/(s^2 + 4) under 2, and s/(s^2 + s) under nothing, rest at any output that they start from.
TEST(LinearFilter, RestWithoutDampingAndWithoutAFinalValue) {
  const Simulation run = simulated_text(
      filtered("f: {type: transfer_function, of: 2, numerator: [4], denominator: [1, 0, 4], start: 2},"
               "g: {type: transfer_function, of: 0, numerator: [1, 0], denominator: [1, 1, 0], start: 3}"));
  for (int row = 0; row <= 40; ++row) {
    EXPECT_NEAR(run.at(row, "f"), 2, 1e-8) << row;
    EXPECT_NEAR(run.at(row, "g"), 3, 1e-8) << row;
  }
}

TEST(LinearFilter, LeadingZerosOfANumeratorDoNotCount) {
  EXPECT_EQ(complaint("f: {type: transfer_function, of: 1, numerator: [0, 1], denominator: [2]}"), "none");
}

// (s^2 + 5 s + 6)/(2 s^3 + 12 s^2 + 22 s + 12) = 1/(2 (s + 1)): of third order, all coefficients matter. It starts at rest at 1.5 under 3.
TEST(LinearFilter, OfThirdOrderStartsAtRestAndFollows) {
  const std::string filter =
      "f: {type: transfer_function, of: 'if(t > 0.5, 1, 3)', numerator: [1, 5, 6], denominator: [2, 12, 22, 12], "
      "start: 1.5}";
  const Simulation run = simulated_text(filtered(filter));
  for (int row = 0; row <= 40; ++row) {
    const double t = 0.05 * row;
    EXPECT_NEAR(run.at(row, "f"), t < 0.5 ? 1.5 : 0.5 + std::exp(-(t - 0.5)), 1e-7) << row;
  }
}

}  // namespace
}  // namespace armature::internal
