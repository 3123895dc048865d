#include <gtest/gtest.h>

#include "integrate/pendulum.hpp"
#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

class CvodeMethod : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Integrator> make(Ode& ode, double tolerance) {
    return make_integrator(GetParam(), ode, tolerances(ode, tolerance));
  }
};
INSTANTIATE_TEST_SUITE_P(Names, CvodeMethod, testing::Values("cvode_bdf", "cvode_adams"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(CvodeMethod, StopIsHitExactlyAndNeverPassed) {
  Problem problem = oscillator();
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::Vector2d(1, 0));
  for (double stop : {1.0, 1.0 + 1e-15, 1.0 + 1e-3, 2.7, 5.0}) {
    ASSERT_EQ(run(*integrator, stop), StepStatus::ok) << integrator->message();
    ASSERT_EQ(integrator->t(), stop);
  }
  EXPECT_NEAR(integrator->x()(0), std::cos(5.0), 1e-4);
}

TEST_P(CvodeMethod, InterpolatesInsideTheLastStep) {
  Problem problem = smooth_problem();
  const auto integrator = make(problem, 1e-8);
  integrator->start(0, smooth_solution(0));
  Eigen::VectorXd x(3);
  while (integrator->t() < 3) {
    ASSERT_EQ(integrator->step(3), StepStatus::ok);
    for (double theta : {0.0, 0.4, 1.0}) {
      const double t = (1 - theta) * integrator->previous_t() + theta * integrator->t();
      integrator->interpolate(t, x);
      ASSERT_LT((x - smooth_solution(t)).norm(), 1e-5) << t;  // hundreds of steps of a few 1e-8 each
    }
  }
}

TEST_P(CvodeMethod, StartsAgainAfterAnEvent) {
  Problem problem = oscillator();
  const auto integrator = make(problem, 1e-8);
  integrator->start(0, Eigen::Vector2d(1, 0));
  ASSERT_EQ(run(*integrator, 1), StepStatus::ok);
  const IntegratorStatistics before = integrator->statistics();
  integrator->start(1, Eigen::Vector2d(0, 2));
  ASSERT_EQ(run(*integrator, 2), StepStatus::ok);
  EXPECT_NEAR(integrator->x()(0), 2 * std::sin(1.0), 1e-5);
  EXPECT_GT(integrator->statistics().steps, before.steps);
  EXPECT_GE(integrator->statistics().rejected, before.rejected);
}

TEST_P(CvodeMethod, FailingDerivativeShortensTheStep) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = 2 - x[0], x[0] < 2; });
  IntegratorOptions options = tolerances(problem, 1e-6);
  options.first_step = 2;
  const auto integrator = make_integrator(GetParam(), problem, options);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  ASSERT_EQ(run(*integrator, 3), StepStatus::ok) << integrator->message();
  EXPECT_NEAR(integrator->x()(0), 2 - std::exp(-3.0), 1e-4);
}

TEST_P(CvodeMethod, DerivativeThatNeverComesBackIsReported) {
  Problem problem(1, [](double t, const double*, double* xdot) { return xdot[0] = 1, t < 0.5; });
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  testing::internal::CaptureStderr();
  EXPECT_EQ(run(*integrator, 1), StepStatus::not_finite);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_NE(integrator->message().find("t = 0.5 s"), std::string::npos) << integrator->message();
}

TEST_P(CvodeMethod, BlowUpEndsWithASentenceThatNamesTheTime) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = x[0] * x[0], true; });
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  testing::internal::CaptureStderr();
  EXPECT_EQ(run(*integrator, 2), StepStatus::step_too_small);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_NEAR(integrator->t(), 1, 1e-3);
  EXPECT_NE(integrator->message().find("t = "), std::string::npos) << integrator->message();
}

TEST(CvodeBdf, SolvesAStiffProblemWithAndWithoutAJacobian) {
  for (bool with_jacobian : {true, false}) {
    Problem problem = van_der_pol(with_jacobian);
    const auto integrator = make_integrator("cvode_bdf", problem, tolerances(problem, 1e-8));
    integrator->start(0, Eigen::Vector2d(2, 0));
    ASSERT_EQ(run(*integrator, 2), StepStatus::ok) << integrator->message();
    EXPECT_NEAR(integrator->x()(0), van_der_pol_end[0], 1e-5);
    EXPECT_NEAR(integrator->x()(1), van_der_pol_end[1], 1e-5);
    EXPECT_LT(integrator->statistics().steps, 5000);  // an explicit method would need 1e6
    EXPECT_EQ(integrator->statistics().jacobians > 0, with_jacobian);
    EXPECT_EQ(problem.jacobian_calls > 1, with_jacobian);
  }
}

TEST(CvodeBdf, StaysOnTheManifold) {
  Problem problem = pendulum(true);
  const auto integrator = make_integrator("cvode_bdf", problem, tolerances(problem, 1e-8));
  integrator->start(0, pendulum_start());
  while (integrator->t() < 20) {
    ASSERT_EQ(integrator->step(20), StepStatus::ok) << integrator->message();
    ASSERT_NEAR(integrator->x().head(2).norm(), 1, 1e-14);
  }
  EXPECT_GE(integrator->statistics().projections, integrator->statistics().steps);
  EXPECT_LT((integrator->x() - pendulum_solution(20)).norm(), 20 * 1e-6);
}

TEST(CvodeAdams, StaysOnTheManifold) {
  Problem problem = pendulum(true);
  const auto integrator = make_integrator("cvode_adams", problem, tolerances(problem, 1e-9));
  integrator->start(0, pendulum_start());
  while (integrator->t() < 10) {
    ASSERT_EQ(integrator->step(10), StepStatus::ok) << integrator->message();
    ASSERT_NEAR(integrator->x().head(2).norm(), 1, 1e-14);
  }
  EXPECT_EQ(integrator->statistics().projections, integrator->statistics().steps);
  EXPECT_LT((integrator->x() - pendulum_solution(10)).norm(), 1e-6);
}

TEST_P(CvodeMethod, FailedProjectionIsReported) {
  Problem problem = oscillator();
  problem.projection = [](double t, double*, double*) { return t < 1; };
  const auto integrator = make_integrator(GetParam(), problem, tolerances(problem, 1e-6));
  integrator->start(0, Eigen::Vector2d(1, 0));
  EXPECT_EQ(run(*integrator, 2), StepStatus::projection_failed) << integrator->message();
}

}  // namespace
}  // namespace armature::internal
