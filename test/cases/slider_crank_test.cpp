// Slider-crank with equal links: at 90 and 270 degrees the loop loses rank, and another branch (the slider stands still at
// the crank's pivot) begins. The right motion is knee = -2 crank, slide = 0.7 cos(crank).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature {
namespace {

void expect_on_branch(const Simulation& run, double tolerance) {
  const auto t = run.column("t"), crank = run.column("crank"), slide = run.column("slide"), knee = run.column("knee");
  for (std::size_t i = 0; i < t.size(); ++i) {
    ASSERT_NEAR(slide[i], 0.7 * std::cos(crank[i]), tolerance) << "t = " << t[i];
    ASSERT_NEAR(std::remainder(knee[i] + 2 * crank[i], 2 * M_PI), 0, tolerance) << "t = " << t[i];
  }
}

TEST(EqualSliderCrank, StaysOnItsBranchWithDefaults) {
  const Simulation run = simulated(shipped("slider_crank_equal"));
  EXPECT_GT(run.last("crank"), 80);  // about 10 rad/s: thirty singular poses
  expect_on_branch(run, 1e-6);
}

TEST(EqualSliderCrank, StaysOnItsBranchAtFixedSteps) {
  for (double step : {1e-3, 7e-4, 2e-3}) {
    Model model = shipped("slider_crank_equal");
    model.simulate.integrator = "rk4";
    model.simulate.step = step;
    SCOPED_TRACE(step);
    expect_on_branch(simulated(model), 1e-6);
  }
}

TEST(EqualSliderCrank, StaysOnItsBranchAtAnyTolerance) {
  for (const char* integrator : {"dopri5", "dop853", "cvode_bdf"})
    for (double rtol : {1e-4, 1e-6, 1e-10}) {
      Model model = shipped("slider_crank_equal");
      model.simulate.integrator = integrator;
      model.simulate.rtol = rtol;
      SCOPED_TRACE(std::string(integrator) + " " + std::to_string(rtol));
      expect_on_branch(simulated(model), 10 * std::sqrt(rtol));  // next to the rank drop phi ~ distance squared
    }
}

// The motor's inductance makes steps short, so that several end close to each pose.
TEST(EqualSliderCrank, StaysOnItsBranchBesideAMotorWithInductance) {
  for (const char* integrator : {"dopri5", "dop853", "cvode_bdf"})
    for (double rtol : {1e-10, 1.91e-11, 1.1e-11, 9.12e-12, 6.31e-12}) {
      Model model = shipped("slider_crank", {{"l1", "0.35"}, {"l2", "0.35"}});
      model.simulate.integrator = integrator;
      model.simulate.rtol = rtol;
      model.simulate.end = 3.2;  // ten poses
      SCOPED_TRACE(integrator + fmt::format(" {}", rtol));
      const Simulation run = simulated(model);
      EXPECT_GT(run.last("crank"), 30);
      expect_on_branch(run, 1e-6);
    }
}

// Loose steps of a method that suits such a motor badly stray so far that a projection would end on the other branch.
TEST(EqualSliderCrank, LeavesItsBranchNeverWithoutAWord) {
  for (double rtol : {1e-2, 1e-3, 3e-4, 1e-4}) {
    Model model = shipped("slider_crank", {{"l1", "0.35"}, {"l2", "0.35"}});
    model.simulate.integrator = "cvode_adams";
    model.simulate.rtol = rtol;
    model.simulate.end = 10;
    const Prepared start = prepared(model);
    MemoryRecorder record;
    const Outcome outcome = simulate(start, record);
    SCOPED_TRACE(fmt::format("{}: {}", rtol, outcome.sentence));
    expect_on_branch({start, record, outcome}, 0.1);
    if (outcome.status == RunStatus::failed) {
      EXPECT_NE(outcome.sentence.find("nearly singular"), std::string::npos);
    }
  }
}

// Known to six digits.
TEST(EqualSliderCrank, PassesNinetyDegreesInTime) {
  Model model = shipped("slider_crank_equal");
  model.simulate.end = 0.4;
  model.simulate.record = 1e-3;
  model.simulate.rtol = 1e-10;
  EXPECT_NEAR(simulated(model).time_of("crank", M_PI / 2), 0.265310, 5e-7);
}

}  // namespace
}  // namespace armature
