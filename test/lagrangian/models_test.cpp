// The Lagrangian files of models/ and the numbers they must give; each was found by two independent builds of the
// machine.
#include <gtest/gtest.h>

#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

Simulation run_to(const std::string& name, double end, const Settings& settings = {}) {
  Model model = shipped(name, settings);
  model.simulate.end = end;
  return simulated(model);
}

TEST(LagrangianModels, FiveBarWithOneElementALink) {
  const Simulation run = run_to("five_bar_lagrangian", 1);
  const int early = 10;  // row of t = 0.05 s
  EXPECT_NEAR(run.at(early, "t"), 0.05, 1e-12);
  EXPECT_NEAR(run.at(early, "theta11"), 1.07207723, 1e-8);  // to the digits given
  EXPECT_NEAR(run.at(early, "theta21"), 1.73916544, 1e-8);
  EXPECT_NEAR(run.at(early, "e13"), -1.17918188e-3, 1e-10);
  EXPECT_NEAR(run.at(early, "e23"), 4.87078396e-3, 1e-10);
  EXPECT_NEAR(run.last("theta11"), 1.90362394, 1e-8);
  EXPECT_NEAR(run.last("theta21"), 1.97484359, 1e-8);
  EXPECT_NEAR(run.last("e13"), -5.15796469e-4, 1e-10);
  EXPECT_NEAR(run.last("e23"), 6.95083372e-4, 1e-10);
}

TEST(LagrangianModels, Rrr) {
  const Simulation run = run_to("rrr_lagrangian", 1);
  EXPECT_NEAR(run.last("theta1"), 0.4954775066, 1e-8);  // errors grow like e^(0.8 t) from rtol 1e-10
  EXPECT_NEAR(run.last("theta2"), -1.1982753979, 1e-8);
  EXPECT_NEAR(run.last("theta3"), 5.8875693692, 1e-8);
  EXPECT_NEAR(run.last("x"), 1.1453330006, 1e-8);
  EXPECT_NEAR(run.last("y"), 0.0854156578, 1e-8);
  EXPECT_NEAR(run.last("platform_angle"), 0.2974209128, 1e-8);
}

TEST(LagrangianModels, SliderCrank) {
  EXPECT_NEAR(run_to("slider_crank_lagrangian", 1).last("q1"), 8.9105479267, 1e-8);
  EXPECT_NEAR(run_to("slider_crank_lagrangian", 1, {{"La", "0"}}).last("q1"), 8.9122525464, 1e-8);
}

TEST(LagrangianModels, SliderCrankWithEqualLinksStaysOnItsBranch) {
  const Simulation run = run_to("slider_crank_equal_lagrangian", 10);
  const auto crank = run.column("crank"), slide = run.column("slide");
  for (std::size_t i = 0; i < crank.size(); ++i) ASSERT_NEAR(slide[i], 0.7 * std::cos(crank[i]), 1e-9) << "row " << i;
  EXPECT_NEAR(run.time_of("crank", std::numbers::pi / 2), 0.265310, 1e-6);
}

TEST(LagrangianModels, Crane) {
  const Simulation run = run_to("crane_lagrangian", 10);
  EXPECT_NEAR(run.last("q1"), 1.24922648444, 1e-8);  // reference trajectory of the full motor
  EXPECT_NEAR(run.last("q2"), 0.0135934558272, 1e-8);
}

TEST(LagrangianModels, TwoJointArm) {
  const Simulation run = run_to("two_joint_arm_lagrangian", 3);
  EXPECT_NEAR(run.last("q1"), 4.49604596, 1e-8);
  EXPECT_NEAR(run.last("q2"), 3.031170835, 1e-8);
}

TEST(LagrangianModels, Press) {
  EXPECT_NEAR(run_to("press_lagrangian", 10).last("phi"), 3.4203544, 1e-7);
  EXPECT_NEAR(run_to("press_lagrangian", 10, {{"phi0", "pi/2"}}).last("phi"), 15.943505, 1e-6);
  EXPECT_NEAR(run_to("press_lagrangian", 10, {{"w0", "0.5 rad/s"}}).last("phi"), 4.5025801, 1e-7);
  EXPECT_NEAR(run_to("press_lagrangian", 10, {{"w0", "1.5 rad/s"}}).last("phi"), 14.5734338, 1e-7);
}

TEST(LagrangianModels, ArmOnTheCircle) {
  const Simulation run = run_to("arm_on_circle_lagrangian", 1);
  EXPECT_NEAR(run.last("q1"), 0.623795807988, 1e-9);
  EXPECT_NEAR(run.last("q2"), -0.339767844679, 1e-9);
  EXPECT_NEAR(run.last("q3"), 1.08317124899, 1e-9);
}

}  // namespace
}  // namespace armature::internal
