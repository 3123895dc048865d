#include <gtest/gtest.h>

#include "integrate/dae_problems.hpp"

namespace armature::internal {
namespace {

IntegratorOptions ida_options(double rtol, const Eigen::VectorXd& atol) {
  IntegratorOptions options;
  options.rtol = rtol;
  options.atol = atol;
  return options;
}

// Reference at t = 1e11: Test Set for IVP Solvers, release 2.4, problem ROBER.
TEST(Ida, SolvesRobertsonsProblemOverElevenDecades) {
  Robertson robertson;
  const auto integrator =
      make_dae_integrator("ida", robertson, 3, ida_options(1e-8, Eigen::Vector3d(1e-14, 1e-18, 1e-14)));
  integrator->start(0, Eigen::Vector3d(1, 0, 0));
  ASSERT_EQ(run(*integrator, 1e11), StepStatus::ok) << integrator->message();
  EXPECT_EQ(integrator->t(), 1e11);
  EXPECT_NEAR(integrator->x()(0) / 0.2083340149701255e-7, 1, 1e-4);
  EXPECT_NEAR(integrator->x()(1) / 0.8333360770334713e-13, 1, 1e-4);
  EXPECT_NEAR(integrator->x().sum(), 1, 1e-12);
  EXPECT_GT(robertson.jacobian_calls, 10);
  EXPECT_EQ(robertson.jacobian_calls, integrator->statistics().jacobians);
}

TEST(Ida, StateIsTheFirstPartOfTheUnknownsAndUntestedOnesDoNotHoldItUp) {
  PendulumDae pendulum;
  const auto integrator =
      make_dae_integrator("ida", pendulum, 4, ida_options(1e-9, Eigen::VectorXd::Constant(4, 1e-9)));
  integrator->start(0, pendulum_start());
  Eigen::VectorXd x(4);
  while (integrator->t() < 10) {
    ASSERT_EQ(integrator->step(10), StepStatus::ok) << integrator->message();
    ASSERT_EQ(integrator->x().size(), 4);
    ASSERT_NEAR(integrator->x().head(2).norm(), 1, 1e-8);
    integrator->interpolate(0.5 * (integrator->t() + integrator->previous_t()), x);
    ASSERT_EQ(x.size(), 4);
    ASSERT_NEAR(x.head(2).norm(), 1, 1e-6);
  }
  EXPECT_EQ(integrator->t(), 10);
  EXPECT_LT((integrator->x() - pendulum_solution(10)).norm(), 1e-6);
}

TEST(Ida, StartsAgainAfterAnEvent) {
  PendulumDae pendulum;
  const auto integrator =
      make_dae_integrator("ida", pendulum, 4, ida_options(1e-8, Eigen::VectorXd::Constant(4, 1e-8)));
  integrator->start(0, pendulum_start());
  ASSERT_EQ(run(*integrator, 1), StepStatus::ok);
  const Eigen::VectorXd x = integrator->x();
  integrator->start(1, x);
  ASSERT_EQ(run(*integrator, 2), StepStatus::ok) << integrator->message();
  EXPECT_LT((integrator->x() - pendulum_solution(2)).norm(), 1e-5);
}

TEST(Ida, WithoutConsistentValuesTheFirstStepSaysSo) {
  PendulumDae pendulum;
  pendulum.can_begin = false;
  const auto integrator =
      make_dae_integrator("ida", pendulum, 4, ida_options(1e-8, Eigen::VectorXd::Constant(4, 1e-8)));
  integrator->start(0.25, pendulum_start());
  EXPECT_EQ(integrator->step(1), StepStatus::projection_failed);
  EXPECT_NE(integrator->message().find("t = 0.25 s"), std::string::npos) << integrator->message();
}

}  // namespace
}  // namespace armature::internal
