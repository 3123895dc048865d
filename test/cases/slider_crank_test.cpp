// Slider-crank with equal links: at 90 and 270 degrees the loop loses rank, and another branch (the slider stands still at
// the crank's pivot) begins. The right motion is knee = -2 crank, slide = 0.7 cos(crank).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
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
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf"})
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
  for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode_bdf"})
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

constexpr const char* free_slider_crank = R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {l: 0.35 m, l2: l, T: 0, w: 1e-3}
bodies:
  arm: {mass: 1 kg, center: [l/2, 0, 0], inertia: {rod: l}}
  rod: {mass: 1 kg, center: [l/2, 0, 0], inertia: {rod: l}}
  slider: {mass: 0.5 kg}
joints:
  crank: {type: revolute, between: [ground, arm]}
  knee: {type: revolute, between: ["arm [l, 0, 0]", rod]}
  pin: {type: revolute, between: ["rod [l2, 0, 0]", slider]}
  slide: {type: prismatic, axis: x, between: [ground, slider]}
forces:
  pulse: {type: effort, on: crank, is: "T*l^2*exp(-((crank - pi/2)/w)^2)"}
start: {keep: {crank: 0}, near: {knee: 0, slide: l + l2}, speed: {crank: 10}}
simulate: {end: 0.5 s, rtol: 1e-10, max_step: 2e-5}
)yaml";

// M q'' + M'/2 q'^2 = T l^2 exp(-((q - pi/2)/w)^2) with M = l^2 (2/3 + 4 sin^2 q): SciPy's DOP853 at 1e-12 gives the speed.
TEST(EqualSliderCrank, FeelsAForceThatActsUponTheSingularPoseOnly) {
  const Simulation run = simulated(read_model_text(free_slider_crank, "model", {{"w", "1e-3"}, {"T", "100"}}));
  EXPECT_NEAR(run.last("crank'"), 5.19658024, 2e-8);
}

// Lengths that differ by 1e-7 of themselves: the branches only come near each other, and the crank is thrown back. At any
// tolerance the four agree on the first passage; an independent formulation is among them.
TEST(EqualSliderCrank, IsThrownBackWhereBranchesOnlyComeNear) {
  for (const char* formulation : {"auto", "udwadia_kalaba"})
    for (const char* integrator : {"dopri5", "dop853"}) {
      Model model = read_model_text(free_slider_crank, "model", {{"l", "1/3"}, {"l2", "0.3333333"}});
      model.simulate.formulation = formulation, model.simulate.integrator = integrator;
      model.simulate.max_step.reset();
      EXPECT_NEAR(simulated(model).last("crank"), -0.41903547, 2e-8) << formulation << " " << integrator;
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
}  // namespace armature::internal
