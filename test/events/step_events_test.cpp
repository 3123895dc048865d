// What is looked for inside steps: found where it is, and paid for only in the steps that come near it.
#include <gmock/gmock.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string pendulum(const std::string& events, const std::string& simulate) {
  return "plane: xy\ngravity: [0, -9.81, 0]\nbodies: {bob: {mass: 1, center: [1, 0, 0], inertia: none}}\n"
         "joints: {swing: {type: revolute, between: [ground, bob]}}\nrecord: {events: {" +
         events + "}}\nsimulate: {end: 1, " + simulate + "}\n";
}

// Two zeros 40 ms apart, wherever they lie against steps of 50 ms.
TEST(Crossings, AreFoundWhereTwoLieInOneStep) {
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 + 0.0025 * k;
    const Simulation run = simulated_text(
        pendulum("dip: (t - " + std::to_string(middle) + ")^2 - 0.02^2", "integrator: rk4, step: 50 ms"));
    ASSERT_EQ(run.outcome.events.size(), 2) << middle;
    EXPECT_NEAR(run.outcome.events[0].t, middle - 0.02, 1e-12);
    EXPECT_NEAR(run.outcome.events[1].t, middle + 0.02, 1e-12);
  }
}

// The dense output of dop853, by which steps are searched, takes three evaluations of its own; no zero adds to them.
TEST(Crossings, CostNoMoreEvaluationsThanDenseOutput) {
  const std::string options = "integrator: dop853, rtol: 1e-9, record: 1";
  const auto statistics = [&](const std::string& events) {
    return simulated_text(pendulum(events, options)).outcome.statistics.integrator;
  };
  const IntegratorStatistics without = statistics("");
  EXPECT_LE(statistics("far: swing + 100").evaluations, without.evaluations + 3 * without.steps);
  EXPECT_LE(statistics("near: sin(200*t)").evaluations, without.evaluations + 3 * without.steps);
}

// Far more zeros than steps.
TEST(Crossings, AreAllFoundHoweverLongTheSteps) {
  const Simulation run = simulated_text(pendulum("wave: sin(200*t)", "rtol: 1e-4, record: 1"));
  ASSERT_EQ(run.outcome.events.size(), 63);  // 200/pi, without the one at the start
  for (std::size_t k = 0; k < 63; ++k) EXPECT_NEAR(run.outcome.events[k].t, M_PI * double(k + 1) / 200, 1e-12);
}

// No row is above the peak, and a run with few steps finds it as one with many does.
TEST(Peaks, AreTheLargestCurrents) {
  const Simulation fine = simulated(shipped("slider_crank"));
  Model model = shipped("slider_crank");
  model.simulate.rtol = 1e-5;
  const Simulation coarse = simulated(model);
  ASSERT_FALSE(fine.outcome.peaks.empty());
  for (std::size_t k = 0; k < fine.outcome.peaks.size(); ++k) {
    EXPECT_NEAR(coarse.outcome.peaks[k].value, fine.outcome.peaks[k].value,
                1e-3 * std::abs(fine.outcome.peaks[k].value));
    for (double current : fine.column(fine.outcome.peaks[k].name))
      ASSERT_LE(std::abs(current), std::abs(fine.outcome.peaks[k].value) * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace armature::internal
