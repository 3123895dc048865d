// What a run says when the fastest vibration of a beam limits its steps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/linearized.hpp"
#include "support/run_model.hpp"
#include "support/transformed_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// A cantilever that swings under gravity, in the frame of a slow pendulum.
Model swinging(const std::string& beam, const std::string& integrator, double rtol) {
  Model model = read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, -9.81, 0]\nbodies: {link: {beam: {length: 0.5, section: {rectangle: [3 mm, "
      "30 "
      "mm]}, E: 7.1e10, rho: 2712, " +
      beam + "}}}\njoints: {root: {type: revolute, between: [ground, link]}}\nsimulate: {end: 0.1, record: 0.1}\n");
  model.simulate.integrator = integrator, model.simulate.rtol = rtol;
  return model;
}

std::string warning(const Model& model) {
  const Simulation run = simulated(model);
  for (const std::string& warning : run.outcome.warnings())
    if (warning.find("steps are limited") != std::string::npos) return warning;
  return "";
}

TEST(StepLimit, NamesTheVibrationAndWhatToTry) {
  const Model model = swinging("elements: 4", "dopri5", 1e-5);
  const double fastest = Linearized(model).frequencies().back();
  EXPECT_EQ(
      warning(model),
      fmt::format("steps are limited by {:.2g} rad/s of link; try modes: 3 (cvode_bdf would follow that vibration too)",
                  fastest));
  EXPECT_THAT(warning(swinging("modes: 8", "dopri5", 1e-5)), HasSubstr("of link; try fewer modes (cvode_bdf would"));
}

// A vibration is found by differences of the state, which are small for this machine.
TEST(StepLimit, NamesTheVibrationInAnyUnits) {
  const Model model = swinging("elements: 4", "dopri5", 1e-5);
  for (const double length : {1e-6, 1e6}) {
    Transformation to;
    to.length = length;
    EXPECT_EQ(warning(transformed(model, to)), warning(model)) << length;
  }
  Transformation fast;
  fast.time = 1e-6;
  EXPECT_THAT(warning(transformed(model, fast)), HasSubstr("e+10 rad/s of link; try modes: 3"));
}

// Damping in proportion to stiffness, b omega/2 of the critical one, stops the fast vibrations within a period.
TEST(StepLimit, AdvisesAnImplicitMethodWhereTheVibrationDies) {
  const std::string damped = "elements: 4, damping: {stiffness: 1e-3}";
  EXPECT_THAT(warning(swinging(damped, "dopri5", 1e-5)), HasSubstr("of link; try cvode_bdf or modes: 3"));
  EXPECT_LT(simulated(swinging(damped, "cvode_bdf", 1e-5)).outcome.statistics.integrator.steps,
            simulated(swinging(damped, "dopri5", 1e-5)).outcome.statistics.integrator.steps / 10);
}

// With small tolerances it is the error of following the vibration that limits the steps, and fewer modes help as much.
TEST(StepLimit, AdvisesAtSmallTolerancesToo) {
  for (const double rtol : {1e-8, 1e-10, 1e-12}) {
    Model model = shipped("five_bar", {{"elements", "8"}});
    model.simulate.rtol = rtol, model.simulate.end = 0.005;
    EXPECT_THAT(warning(model), HasSubstr("rad/s of beam1; try modes: 3")) << rtol;
  }
}

// Implicit methods are not limited; steps that follow the vibration with small errors are not either.
TEST(StepLimit, SaysNothingWhereStepsAreNotLimited) {
  EXPECT_EQ(warning(swinging("elements: 4", "cvode_bdf", 1e-5)), "");
  EXPECT_EQ(warning(swinging("elements: 1", "dopri5", 1e-10)), "");
}

}  // namespace
}  // namespace armature::internal
