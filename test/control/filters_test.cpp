// Filters on signals of known form.
#include <gmock/gmock.h>

#include <cmath>

#include "control/filtered.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

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

// A coefficient of s^k in s^k is a bare number.
TEST(Filters, CoefficientsAreOfOneDimensionOncePowersOfSecondsAreTakenOut) {
  const std::string begin = "f: {type: transfer_function, of: 1, numerator: [1], denominator: ";
  EXPECT_EQ(complaint(begin + "['0.04 s^2', 0.2 s, 1]}"), "none");
  EXPECT_THAT(complaint(begin + "[0.2 s, 1 s]}"), HasSubstr("coefficient 2 of '[0.2 s, 1 s]' is in s"));
}

// Padé's quotient of order n is exact for powers of t up to 2 n - 1, once what began at t = 0 has died away.
TEST(Filters, DelayShiftsPowersOfTimeExactly) {
  for (const auto& [order, power] : {std::pair(1, 1), {2, 3}, {3, 5}, {4, 7}, {8, 9}}) {
    const Simulation run =
        simulated_text(filtered(fmt::format("d: {{type: delay, of: t^{}, time: 20 ms, order: {}}}", power, order),
                                "simulate: {end: 2, record: 0.5, rtol: 1e-12, atol: 1e-12}"));
    EXPECT_NEAR(run.last("d"), std::pow(1.98, power), 1e-8 * std::pow(2, power)) << order;
  }
}

TEST(Filters, AreRefusedWithASentence) {
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [1, 2, 3], denominator: [1, 1]}"),
              HasSubstr("the numerator has 3 coefficients and the denominator 2"));
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [1], denominator: [0, 1]}"),
              HasSubstr("the first coefficient of the denominator is zero"));
  EXPECT_THAT(complaint("f: {type: transfer_function, of: 1, numerator: [1, 0], denominator: [1, 1, 1], start: 2}"),
              HasSubstr("passes no constant input"));
  for (const char* order : {"3", "1.5", "0"})
    EXPECT_THAT(complaint(std::string("f: {type: low_pass, of: 1, frequency: 1 Hz, order: ") + order + "}"),
                HasSubstr("whole number from 1 to 2"))
        << order;
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
