#include "integrate/fixed_step.hpp"

#include <gtest/gtest.h>

#include "integrate/pendulum.hpp"
#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

std::unique_ptr<Integrator> fixed(const std::string& name, Ode& ode, double step) {
  IntegratorOptions options;
  options.step = step;
  return make_integrator(name, ode, options);
}

class FixedStepMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Names, FixedStepMethod, testing::Values("euler", "semi_implicit_euler", "rk2", "rk4"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(FixedStepMethod, StepsLieOnTheGridAndEndOnTheStop) {
  Problem problem = oscillator();
  const auto integrator = fixed(GetParam(), problem, 0.1);
  integrator->start(0, Eigen::Vector2d(1, 0));
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_EQ(integrator->step(100), StepStatus::ok);
    ASSERT_EQ(integrator->t(), k < 1000 ? k * 0.1 : 100.0);  // by multiplication, not by adding up
  }
  EXPECT_EQ(integrator->statistics().steps, 1000);
}

TEST_P(FixedStepMethod, StopBetweenGridPointsLeavesTheGrid) {
  Problem problem = oscillator();
  const auto integrator = fixed(GetParam(), problem, 0.25);
  integrator->start(1, Eigen::Vector2d(1, 0));
  std::vector<double> times;
  for (double stop : {1.3, 1.5, 2.1})
    while (integrator->t() < stop) {
      ASSERT_EQ(integrator->step(stop), StepStatus::ok);
      times.push_back(integrator->t());
    }
  EXPECT_EQ(times, (std::vector<double>{1.25, 1.3, 1.5, 1.75, 2.0, 2.1}));
}

TEST_P(FixedStepMethod, InterpolationMeetsBothEndsAndCostsNoMoreEvaluations) {
  Problem problem = oscillator();
  const auto integrator = fixed(GetParam(), problem, 0.1);
  Eigen::VectorXd x0 = Eigen::Vector2d(1, 0), x(2);
  integrator->start(0, x0);
  integrator->step(1);
  const Eigen::VectorXd x1 = integrator->x();
  integrator->interpolate(0, x);
  EXPECT_EQ(x, x0);
  integrator->interpolate(0.1, x);
  EXPECT_EQ(x, x1);
  run(*integrator, 1);
  const long evaluations = integrator->statistics().evaluations;

  const auto other = fixed(GetParam(), problem, 0.1);
  other->start(0, x0);
  while (other->t() < 1) {
    other->step(1);
    if (other->t() < 1) other->interpolate(other->t() - 0.05, x);
  }
  EXPECT_EQ(other->statistics().evaluations, evaluations);
  EXPECT_EQ(other->x(), integrator->x());
}

TEST_P(FixedStepMethod, StateThatCannotBeEvaluatedIsReportedWithItsTime) {
  Problem problem(1, [](double t, const double*, double* xdot) { return xdot[0] = 1, t < 0.55; });
  const auto integrator = fixed(GetParam(), problem, 0.1);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  EXPECT_EQ(run(*integrator, 1), StepStatus::not_finite);
  EXPECT_NE(integrator->message().find("t = 0."), std::string::npos) << integrator->message();
}

TEST_P(FixedStepMethod, FailedProjectionIsReported) {
  Problem problem = oscillator();
  problem.projection = [](double t, double*, double* error) { return error == nullptr && t < 0.35; };
  const auto integrator = fixed(GetParam(), problem, 0.1);
  integrator->start(0, Eigen::Vector2d(1, 0));
  EXPECT_EQ(run(*integrator, 1), StepStatus::projection_failed);
  EXPECT_NE(integrator->message().find("t = 0.4 s"), std::string::npos) << integrator->message();
}

TEST_P(FixedStepMethod, RestartBeginsANewGrid) {
  Problem problem = oscillator();
  const auto integrator = fixed(GetParam(), problem, 0.25);
  integrator->start(0, Eigen::Vector2d(1, 0));
  integrator->step(1);
  integrator->start(0.125, Eigen::Vector2d(1, 0));
  integrator->step(1);
  EXPECT_EQ(integrator->previous_t(), 0.125);
  EXPECT_EQ(integrator->t(), 0.375);
}

// One step of h = 1/2 by hand: v = 0 - 1/2, q = 1 + 1/2 v.
TEST(SemiImplicitEuler, AdvancesPositionsWithTheNewVelocities) {
  Problem problem = oscillator();
  const auto integrator = fixed("semi_implicit_euler", problem, 0.5);
  integrator->start(0, Eigen::Vector2d(1, 0));
  integrator->step(1);
  EXPECT_EQ(integrator->x(), Eigen::Vector2d(0.75, -0.5));
}

// Symplectic: q^2 + v^2 - h q v (conserved by the map) keeps the energy within h / 2 for ever; explicit Euler's grows.
TEST(SemiImplicitEuler, KeepsTheEnergyOfAnOscillatorOverAThousandPeriods) {
  Problem problem = oscillator();
  const auto integrator = fixed("semi_implicit_euler", problem, 0.05);
  integrator->start(0, Eigen::Vector2d(1, 0));
  ASSERT_EQ(run(*integrator, 6283), StepStatus::ok);
  EXPECT_NEAR(integrator->x().squaredNorm(), 1, 0.026);
}

// x' = (order) t^(order-1) is integrated exactly.
TEST_P(FixedStepMethod, PolynomialsOfItsOrderAreExact) {
  const std::string name = GetParam();
  const int order = name == "rk4" ? 4 : name == "rk2" ? 2 : 1;
  Problem problem(
      1, [&](double t, const double*, double* xdot) { return xdot[0] = order * std::pow(t, order - 1), true; });
  const auto integrator = fixed(name, problem, 0.3);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  run(*integrator, 2);
  EXPECT_NEAR(integrator->x()(0), std::pow(2, order), 1e-14);
}

// At one step length the drift off the circle is what projection takes away: measured ratios are 0.03 to 0.12.
TEST(FixedStep, ProjectionImprovesTheTrajectory) {
  const auto error = [](const char* name, bool projected) {
    Problem problem = pendulum(projected);
    IntegratorOptions options;
    options.step = 0.2;
    FixedStep integrator(tableau(name), problem, options);
    integrator.start(0, pendulum_start());
    EXPECT_EQ(run(integrator, 50), StepStatus::ok);
    return (integrator.x() - pendulum_solution(50)).norm();
  };
  for (const char* name : {"rk4", "dopri5", "dop853"}) EXPECT_LT(error(name, true), 0.2 * error(name, false)) << name;
}

}  // namespace
}  // namespace armature::internal
