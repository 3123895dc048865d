#include "inspect/compare.hpp"

#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

class CompareWithLagrangian : public testing::TestWithParam<const char*> {};

// The same machine as bodies and joints and as a Lagrangian: two independent ways to the equations.
TEST_P(CompareWithLagrangian, AgreesInAccelerationsAndTrajectories) {
  Model mechanism = shipped(GetParam()), lagrangian = shipped(std::string(GetParam()) + "_lagrangian");
  for (Model* model : {&mechanism, &lagrangian}) {
    model->simulate.end = 3;
    model->simulate.rtol = 1e-12;
  }
  const CompareResult c = compare(mechanism, lagrangian);
  EXPECT_EQ(c.obstacle, "");
  EXPECT_EQ(c.states, 50);
  EXPECT_LT(c.acceleration, 1e-10) << c.acceleration_of;
  EXPECT_LT(c.largest.difference, 1e-8) << c.largest.of << " at " << c.largest.t;
  EXPECT_TRUE(c.same_equations());
}

INSTANTIATE_TEST_SUITE_P(Models, CompareWithLagrangian,
                         testing::Values("crane", "slider_crank", "slider_crank_equal", "two_joint_arm", "press", "rrr",
                                         "arm_on_circle"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Compare, SeesASmallChange) {
  CompareOptions accelerations_only;
  accelerations_only.run = false;
  const CompareResult c =
      compare(shipped("crane"), shipped("crane_lagrangian", {{"mp", "0.850001 kg"}}), accelerations_only);
  EXPECT_FALSE(c.same_equations());
  EXPECT_GT(c.acceleration, 1e-10);
  EXPECT_LT(c.acceleration, 1e-5);
}

// The electrical side counts: L di/dt = V - R i - K_e w, and a motor whose resistance differs by a thousandth is another.
TEST(Compare, SeesASmallChangeOfAWinding) {
  const CompareResult c = compare(shipped("crane"), shipped("crane_lagrangian", {{"Ra", "1.001 Ohm"}}));
  EXPECT_FALSE(c.same_equations());
  EXPECT_LT(c.acceleration, 1e-10);
  EXPECT_EQ(c.rate_of, "motor.current");
  EXPECT_TRUE(c.apart()) << c.largest.difference << " where " << c.explained << " is explained";
  EXPECT_TRUE(c.verdict().starts_with("different equations of motion: the rate of motor.current differs by"))
      << c.verdict();
}

// Two starts that differ by a thousandth of a radian are two runs; what tolerances and steps explain is not.
TEST(Compare, JudgesTrajectoriesByTheErrorsOfTheRuns) {
  Model a = shipped("crane");
  a.simulate.end = 2;
  Model other_start = a, coarse = a, steps = a;
  other_start.start.keep[1].value = parse_formula("1e-3", {});
  coarse.simulate.rtol = 1e-5;
  steps.simulate.integrator = "rk4", steps.simulate.step = 0.4e-3;
  const CompareResult apart = compare(a, other_start);
  EXPECT_TRUE(apart.same_equations());
  EXPECT_TRUE(apart.apart()) << apart.largest.difference << " where " << apart.explained << " is explained";
  for (const Model& b : {coarse, steps}) {
    const CompareResult same = compare(a, b);
    EXPECT_GT(same.largest.difference, 1e-8);
    EXPECT_FALSE(same.apart()) << same.largest.difference << " where " << same.explained << " is explained";
  }
}

TEST(Compare, TellsOptionsApart) {
  Model a = shipped("slider_crank_equal"), b = a;
  a.simulate.end = b.simulate.end = 0.2;
  b.simulate.integrator = "rk4";
  b.simulate.step = 1e-3;
  b.simulate.formulation = "null_space";
  const CompareResult c = compare(a, b);
  EXPECT_TRUE(c.same_equations());         // formulations agree
  EXPECT_GT(c.largest.difference, 1e-13);  // integrators do not quite
  EXPECT_LT(c.largest.difference, 1e-5);
  EXPECT_EQ(c.b.outcome.statistics.integrator.steps, 200);
}

constexpr const char* pendulum = R"(armature: 1
lagrangian:
  coordinates: {angle: rad}
  kinetic: 1/2*angle'^2
  potential: -9.81*cos(angle)
start: {keep: {angle: 1}}
simulate: {end: 1 s}
)";

TEST(Compare, NeedsANameInCommon) {
  std::string other = pendulum;
  for (std::size_t at; (at = other.find("angle")) != std::string::npos;) other.replace(at, 5, "theta");
  EXPECT_THROW(compare(read_model_text(pendulum), read_model_text(other)), std::runtime_error);
  CompareOptions matched;
  matched.match = {{"angle", "theta"}};
  const CompareResult c = compare(read_model_text(pendulum), read_model_text(other), matched);
  EXPECT_TRUE(c.same_equations());
  EXPECT_EQ(c.names, std::vector<std::string>{"angle = theta"});
}

TEST(Compare, SaysWhatTheCommonNamesLeaveFree) {
  const std::string two = R"(armature: 1
lagrangian:
  coordinates: {angle: rad, free: m}
  kinetic: 1/2*angle'^2 + 1/2*free'^2
  potential: -9.81*cos(angle)
start: {keep: {angle: 1}}
simulate: {end: 1 s}
)";
  const CompareResult c = compare(read_model_text(pendulum), read_model_text(two));
  EXPECT_EQ(c.obstacle, "the names in common leave 1 of B's 2 coordinates free; define more names in both files");
  EXPECT_FALSE(c.same_equations());
}

}  // namespace
}  // namespace armature::internal
