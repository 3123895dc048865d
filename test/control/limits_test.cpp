// Limits of an output: of one that is watched, and of one that is sampled.
#include "control/limits.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "control/controlled.hpp"

namespace armature::internal {
namespace {

// 3 sin(2 pi t) at the samples, cut off at two limits of different size.
TEST(ControllerLimits, ASampledOutputStaysBetweenItsLimits) {
  const Simulation run = simulated_text(
      controlled_disc("type: formula, is: 3*sin(2*pi*t), limits: {lower: -0.5, upper: 1.25}, sampled: {period: 10 ms}",
                      "end: 1, record: 5 ms, rtol: 1e-10") +
      "record: {quantities: {u: c}}\n");
  const auto u = run.column("u");
  int at_lower = 0, at_upper = 0;
  for (int sample = 0; sample < 100; ++sample) {
    const double output = u[static_cast<std::size_t>(2 * sample + 1)];
    ASSERT_NEAR(output, std::clamp(3 * std::sin(2 * M_PI * 0.01 * sample), -0.5, 1.25), 1e-12) << sample;
    at_lower += output == -0.5, at_upper += output == 1.25;
  }
  EXPECT_GT(at_lower, 40);
  EXPECT_GT(at_upper, 30);
}

double limited_output(const std::string& is, const std::string& limits, const std::string& sampled = "") {
  return simulated_text(controlled_disc("type: formula, is: " + is + ", limits: {" + limits + "}" + sampled,
                                        "end: 0.2, record: 0.1", "0"))
      .last("c");
}

TEST(ControllerLimits, HoldAtBothEndsAndLetTheRestPass) {
  for (const char* sampled : {"", ", sampled: {period: 0.05}"}) {
    EXPECT_EQ(limited_output("3", "lower: -0.5, upper: 1.25", sampled), 1.25) << sampled;
    EXPECT_EQ(limited_output("-3", "lower: -0.5, upper: 1.25", sampled), -0.5) << sampled;
    EXPECT_EQ(limited_output("0.75", "lower: -0.5, upper: 1.25", sampled), 0.75) << sampled;
    EXPECT_EQ(limited_output("-3", "upper: 1.25", sampled), -3) << sampled;
    EXPECT_EQ(limited_output("3", "lower: -0.5", sampled), 3) << sampled;
  }
}

// 2 sin(t) reaches 1 at pi/6 and leaves it at 5 pi/6; -1 half a turn later.
TEST(ControllerLimits, AreEventsWhereTheyAreReachedAndLeft) {
  const Simulation run = simulated_text(controlled_disc("type: formula, is: 2*sin(t), limits: {lower: -1, upper: 1}",
                                                        "end: 6.2, record: 0.1, rtol: 1e-10", "0"));
  ASSERT_EQ(run.outcome.events.size(), 4u);
  const char* const words[] = {"reaches its upper limit", "leaves its upper limit", "reaches its lower limit",
                               "leaves its lower limit"};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(run.outcome.events[static_cast<std::size_t>(k)].t,
                (std::array{1, 5, 7, 11}[static_cast<std::size_t>(k)]) * M_PI / 6, 1e-9);
    EXPECT_NE(run.outcome.events[static_cast<std::size_t>(k)].what.find(words[k]), std::string::npos)
        << run.outcome.events[static_cast<std::size_t>(k)].what;
  }
}

TEST(ControllerLimits, AreInTheirOrder) {
  EXPECT_EQ(limited_output("3", "lower: 1, upper: 1"), 1);
  try {
    prepared_text(controlled_disc("type: formula, is: 3, limits: {lower: 1, upper: 0.9}"));
    FAIL() << "a lower limit above the upper one was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).message, "the lower limit is above the upper one");
  }
}

}  // namespace
}  // namespace armature::internal
