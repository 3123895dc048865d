// Filters on signals of known form.
#include <gmock/gmock.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

std::string filtered(const std::string& controllers,
                     const std::string& more = "simulate: {end: 2, record: 50 ms, rtol: 1e-10}") {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\ncontrollers: {" +
         controllers + "}\n" + more + "\n";
}

// The step response of 1/(1 + T s).
TEST(Filters, LowPassOfFirstOrderFollowsAStep) {
  const Simulation run = simulated_text(filtered("f: {type: low_pass, of: 3, frequency: 0.5 Hz}"));
  for (int row = 0; row <= 40; ++row)
    EXPECT_NEAR(run.at(row, "f"), 3 * (1 - std::exp(-M_PI * 0.05 * row)), 1e-8) << row;
}

// Of second order, with a damping ratio below 1; its derivative is known to formulas.
TEST(Filters, LowPassOfSecondOrderFollowsAStep) {
  const Simulation run =
      simulated_text(filtered("f: {type: low_pass, of: 1, frequency: 0.5 Hz, order: 2, damping: 0.2}",
                              "define: {rate: \"f'\"}\nsimulate: {end: 2, record: 50 ms, rtol: 1e-10}"));
  const double w = M_PI, D = 0.2, wd = w * std::sqrt(1 - D * D);
  for (int row = 0; row <= 40; ++row) {
    const double t = 0.05 * row, fall = std::exp(-D * w * t);
    EXPECT_NEAR(run.at(row, "f"), 1 - fall * (std::cos(wd * t) + D * w / wd * std::sin(wd * t)), 1e-8) << row;
    EXPECT_NEAR(run.at(row, "rate"), fall * w * w / wd * std::sin(wd * t), 1e-7) << row;
  }
}

// (s + 3)/(s^2 + 3 s + 2) = 2/(s + 1) - 1/(s + 2), after a step.
TEST(Filters, TransferFunctionHasItsStepResponse) {
  const Simulation run =
      simulated_text(filtered("f: {type: transfer_function, of: 1, numerator: [2, 6], denominator: [2, 6, 4]}"));
  for (int row = 0; row <= 40; ++row) {
    const double t = 0.05 * row;
    EXPECT_NEAR(run.at(row, "f"), 2 * (1 - std::exp(-t)) - 0.5 * (1 - std::exp(-2 * t)), 1e-8) << row;
  }
}

// Lead: the input appears at once.
TEST(Filters, TransferFunctionMayPassItsInput) {
  const Simulation run =
      simulated_text(filtered("f: {type: transfer_function, of: 1, numerator: [3, 1], denominator: [1, 1]}"));
  EXPECT_NEAR(run.at(0, "f"), 3, 1e-12);
  EXPECT_NEAR(run.at(40, "f"), 1 + 2 * std::exp(-2.0), 1e-8);
}

TEST(Filters, RestAtTheirStart) {
  const Simulation run = simulated_text(
      filtered("f: {type: transfer_function, of: 2, numerator: [1, 4], denominator: [1, 1, 8], start: 1},"
               "d: {type: delay, of: 1, time: 0.2, start: 1}"));
  for (int row = 0; row <= 40; ++row) {
    EXPECT_NEAR(run.at(row, "f"), 1, 1e-8) << row;
    EXPECT_NEAR(run.at(row, "d"), 1, 1e-8) << row;
  }
}

// Nothing passes at once.
TEST(Filters, DelayStartsWhereItIsToldTo) {
  const Simulation run =
      simulated_text(filtered("d: {type: delay, of: 1, time: 0.2}, e: {type: delay, of: 0, time: 0.2, start: 2}"));
  EXPECT_EQ(run.at(0, "d"), 0);
  EXPECT_NEAR(run.at(0, "e"), 2, 1e-12);
  EXPECT_NEAR(run.at(40, "d"), 1, 1e-6);
  EXPECT_NEAR(run.at(40, "e"), 0, 1e-6);
}

// A slow sine arrives late and unchanged.
TEST(Filters, DelayShiftsASlowSignal) {
  const Simulation run = simulated_text(filtered("d: {type: delay, of: sin(2*t), time: 0.2, order: 5}"));
  for (int row = 10; row <= 40; ++row) EXPECT_NEAR(run.at(row, "d"), std::sin(2 * (0.05 * row - 0.2)), 2e-3) << row;
}

// A filter without direct passage breaks the loop of a signal that depends on itself.
TEST(Filters, BreakAlgebraicLoops) {
  const Simulation run =
      simulated_text(filtered("u: {type: formula, is: 1 - f}, f: {type: low_pass, of: u, frequency: 1/(2*pi)*(1 Hz)}"));
  EXPECT_NEAR(run.at(40, "f"), 0.5 * (1 - std::exp(-4.0)), 1e-8);
}

std::string complaint(const std::string& controllers) {
  try {
    prepared_text(filtered(controllers));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

// 4/(s^2 + 4) under 2, and s/(s^2 + s) under nothing, rest at any output that they start from.
TEST(Filters, RestWithoutDampingAndWithoutAFinalValue) {
  const Simulation run = simulated_text(
      filtered("f: {type: transfer_function, of: 2, numerator: [4], denominator: [1, 0, 4], start: 2},"
               "g: {type: transfer_function, of: 0, numerator: [1, 0], denominator: [1, 1, 0], start: 3}"));
  for (int row = 0; row <= 40; ++row) {
    EXPECT_NEAR(run.at(row, "f"), 2, 1e-8) << row;
    EXPECT_NEAR(run.at(row, "g"), 3, 1e-8) << row;
  }
}

TEST(Filters, LeadingZerosOfANumeratorDoNotCount) {
  EXPECT_EQ(complaint("f: {type: transfer_function, of: 1, numerator: [0, 1], denominator: [2]}"), "none");
}

// A coefficient of s^k in s^k is a bare number.
TEST(Filters, CoefficientsAreOfOneDimensionOncePowersOfSecondsAreTakenOut) {
  const std::string begin = "f: {type: transfer_function, of: 1, numerator: [1], denominator: ";
  EXPECT_EQ(complaint(begin + "['0.04 s^2', 0.2 s, 1]}"), "none");
  EXPECT_THAT(complaint(begin + "[0.2 s, 1 s]}"), HasSubstr("coefficient 2 of '[0.2 s, 1 s]' is in s"));
}

TEST(Filters, AreRefusedWithASentence) {
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [1, 2, 3], denominator: [1, 1]}"),
              HasSubstr("the numerator has 3 coefficients and the denominator 2"));
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [1], denominator: [0, 1]}"),
              HasSubstr("the first coefficient of the denominator is zero"));
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [1, 0], denominator: [1, 1, 1], start: 2}"),
              HasSubstr("passes no constant input"));
  EXPECT_THAT(complaint("f: {type: low_pass, of: 1, frequency: 1 Hz, order: 3}"),
              HasSubstr("whole number from 1 to 2"));
  EXPECT_THAT(complaint("f: {type: delay, of: 1, time: 0.1, order: 9}"), HasSubstr("whole number from 1 to 8"));
  EXPECT_THAT(complaint("f: {type: low_pass, of: 1, frequency: 1 Hz, damping: 1}"), HasSubstr("write order: 2"));
  EXPECT_THAT(complaint("f: {type: delay, of: 1, time: 0}"), HasSubstr("must be positive"));
  EXPECT_THAT(complaint("f: {type: low_pass, of: 1, frequency: 3 rad/s}"), HasSubstr("expected a frequency in Hz"));
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [2], denominator: [1], start: 3}"),
              HasSubstr("has no state to start from"));
  EXPECT_THAT(
      complaint(
          "a: {type: transfer_function, of: b, numerator: [1, 1], denominator: [1, 2]}, b: {type: formula, is: a}"),
      HasSubstr("depends on itself"));
}

}  // namespace
}  // namespace armature::internal
