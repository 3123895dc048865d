#include "integrate/embedded.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "integrate/pendulum.hpp"
#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

class EmbeddedPair : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Integrator> make(Ode& ode, double tolerance) {
    return make_integrator(GetParam(), ode, tolerances(ode, tolerance));
  }
};
INSTANTIATE_TEST_SUITE_P(Names, EmbeddedPair, testing::Values("dopri5", "dop853"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EmbeddedPair, StopIsHitExactlyAndTheStepSizeSurvivesIt) {
  Problem problem = oscillator();
  const auto integrator = make(problem, 1e-8);
  integrator->start(0, Eigen::Vector2d(1, 0));
  ASSERT_EQ(run(*integrator, 3), StepStatus::ok);
  integrator->step(100);
  const double free_step = integrator->t() - integrator->previous_t();
  for (double stop : {3.9, 3.9 + 1e-15, 3.9001, 4.7}) {
    ASSERT_EQ(run(*integrator, stop), StepStatus::ok);
    ASSERT_EQ(integrator->t(), stop);
  }
  integrator->step(100);
  EXPECT_GT(integrator->t() - integrator->previous_t(), 0.8 * free_step);
}

TEST_P(EmbeddedPair, RestartContinuesWithTheStepSizeItHad) {
  Problem problem = smooth_problem();
  const auto integrator = make(problem, 1e-9);
  integrator->start(0, smooth_solution(0));
  ASSERT_EQ(run(*integrator, 1), StepStatus::ok);
  const long evaluations = integrator->statistics().evaluations, steps = integrator->statistics().steps;
  integrator->start(1, smooth_solution(1));
  ASSERT_EQ(run(*integrator, 2), StepStatus::ok);
  EXPECT_LT((integrator->x() - smooth_solution(2)).norm(), 1e-7);
  const long more_steps = integrator->statistics().steps - steps;
  EXPECT_LE(more_steps, steps);
  EXPECT_LE(integrator->statistics().evaluations - evaluations, evaluations + 1);
}

TEST_P(EmbeddedPair, SameStepsWithAndWithoutInterpolation) {
  Problem problem = smooth_problem();
  const auto plain = make(problem, 1e-7), looked_at = make(problem, 1e-7);
  plain->start(0, smooth_solution(0));
  looked_at->start(0, smooth_solution(0));
  run(*plain, 2);
  Eigen::VectorXd x(3);
  while (looked_at->t() < 2) {
    looked_at->step(2);
    looked_at->interpolate(0.5 * (looked_at->t() + looked_at->previous_t()), x);
  }
  EXPECT_EQ(plain->x(), looked_at->x());
}

TEST_P(EmbeddedPair, DenseOutputIsAsAccurateAsTheSteps) {
  Problem problem = smooth_problem();
  const auto integrator = make(problem, 1e-8);
  integrator->start(0, smooth_solution(0));
  Eigen::VectorXd x(3);
  double inside = 0, at_ends = 0;
  while (integrator->t() < 3) {
    ASSERT_EQ(integrator->step(3), StepStatus::ok);
    at_ends = std::max(at_ends, (integrator->x() - smooth_solution(integrator->t())).norm());
    for (double theta : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      const double t = (1 - theta) * integrator->previous_t() + theta * integrator->t();
      integrator->interpolate(t, x);
      inside = std::max(inside, (x - smooth_solution(t)).norm());
    }
  }
  EXPECT_LT(at_ends, 1e-7);
  EXPECT_LT(inside, 1e-6);  // its order is one lower, so it may be worse by the inverse of a step length of about 0.1
}

TEST_P(EmbeddedPair, OscillatorKeepsItsPhaseOverAThousandPeriods) {
  Problem problem = oscillator();
  const auto integrator = make(problem, 1e-11);
  integrator->start(0, Eigen::Vector2d(1, 0));
  ASSERT_EQ(run(*integrator, 6283), StepStatus::ok);
  // Errors of one sign add up: about 1e-11 a unit of time.
  EXPECT_LT((integrator->x() - Eigen::Vector2d(std::cos(6283.0), -std::sin(6283.0))).norm(), 6283 * 2e-11);
}

TEST_P(EmbeddedPair, PolynomialsOfItsOrderAreExactAndTakeFewSteps) {
  const int order = tableau(GetParam()).order;
  Problem problem(
      1, [=](double t, const double*, double* xdot) { return xdot[0] = order * std::pow(t, order - 1), true; });
  const auto integrator = make(problem, 1e-3);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  run(*integrator, 2);
  EXPECT_NEAR(integrator->x()(0) / std::pow(2, order), 1, 1e-13);
}

TEST_P(EmbeddedPair, FailingDerivativeShortensTheStep) {
  // f is defined for x < 2 only, as the solution x = 2 - exp(-t) is.
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = 2 - x[0], x[0] < 2; });
  IntegratorOptions options = tolerances(problem, 1e-6);
  options.first_step = 50;
  const auto integrator = make_integrator(GetParam(), problem, options);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  ASSERT_EQ(run(*integrator, 5), StepStatus::ok);
  EXPECT_GT(integrator->statistics().rejected, 0);
  EXPECT_NEAR(integrator->x()(0), 2 - std::exp(-5.0), 1e-5);
}

TEST_P(EmbeddedPair, DerivativeThatNeverComesBackIsReported) {
  Problem problem(1, [](double t, const double*, double* xdot) { return xdot[0] = 1, t < 0.5; });
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  EXPECT_EQ(run(*integrator, 1), StepStatus::not_finite);
  EXPECT_NEAR(integrator->t(), 0.5, 1e-12);
  EXPECT_NE(integrator->message().find("t = 0.5 s"), std::string::npos) << integrator->message();
}

TEST_P(EmbeddedPair, NotANumberInTheErrorShortensTheStep) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = std::sqrt(2 - x[0]), true; });
  IntegratorOptions options = tolerances(problem, 1e-6);
  options.first_step = 50;
  const auto integrator = make_integrator(GetParam(), problem, options);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  ASSERT_EQ(run(*integrator, 1), StepStatus::ok);
  EXPECT_NEAR(integrator->x()(0), 2 - 0.25, 1e-5);  // 2 - x = (1 - t/2)^2
}

// x = 1 / (1 - t).
TEST_P(EmbeddedPair, BlowUpEndsWithASentenceThatNamesTheTime) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = x[0] * x[0], true; });
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  EXPECT_EQ(run(*integrator, 2), StepStatus::step_too_small);
  EXPECT_NEAR(integrator->t(), 1, 1e-5);
  EXPECT_NE(integrator->message().find("t = "), std::string::npos);
  EXPECT_NE(integrator->message().find("cannot continue from"), std::string::npos) << integrator->message();
}

TEST_P(EmbeddedPair, StartsAgainAfterGivingUp) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = x[0] * x[0], true; });
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  ASSERT_NE(run(*integrator, 2), StepStatus::ok);
  integrator->start(2, -Eigen::VectorXd::Ones(1));
  EXPECT_EQ(run(*integrator, 3), StepStatus::ok);
  EXPECT_NEAR(integrator->x()(0), -0.5, 1e-5);
}

double pendulum_error(const std::string& name, bool projected, double tolerance, double end) {
  Problem problem = pendulum(projected);
  const auto integrator = make_integrator(name, problem, tolerances(problem, tolerance));
  integrator->start(0, pendulum_start());
  EXPECT_EQ(run(*integrator, end), StepStatus::ok);
  return (integrator->x() - pendulum_solution(end)).norm();
}

TEST_P(EmbeddedPair, ProjectionImprovesTheTrajectory) {
  const double with = pendulum_error(GetParam(), true, 1e-8, 50), without = pendulum_error(GetParam(), false, 1e-8, 50);
  EXPECT_LT(with, 0.5 * without);
  EXPECT_LT(with, 50 * 1e-8);
}

TEST_P(EmbeddedPair, ProjectedStatesLieOnTheCircleAndDenseOutputEndsThere) {
  Problem problem = pendulum(true);
  const auto integrator = make(problem, 1e-5);
  integrator->start(0, pendulum_start());
  Eigen::VectorXd previous = pendulum_start(), x(4);
  while (integrator->t() < 20) {
    ASSERT_EQ(integrator->step(20), StepStatus::ok);
    ASSERT_NEAR(integrator->x().head(2).norm(), 1, 1e-15);
    ASSERT_NEAR(integrator->x().head(2).dot(integrator->x().tail(2)), 0, 1e-15);
    integrator->interpolate(integrator->previous_t(), x);
    ASSERT_EQ(x, previous);
    const double h = integrator->t() - integrator->previous_t();
    integrator->interpolate(integrator->t() - 1e-9 * h, x);  // continuous up to the end: |x'| h 1e-9
    ASSERT_LT((x - integrator->x()).norm(), 1e-8 * h);
    previous = integrator->x();
  }
}

// The slope dense output ends with is f of the projected state, since the next step begins there.
TEST_P(EmbeddedPair, DerivativeIsTakenAtTheProjectedState) {
  Problem problem = pendulum(true);
  Eigen::Vector4d last;
  problem.derivative_of = [&](double t, const double* x, double* xdot) {
    last = Eigen::Map<const Eigen::Vector4d>(x);
    return pendulum_derivative(t, x, xdot);
  };
  const auto integrator = make(problem, 1e-5);
  integrator->start(0, pendulum_start());
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(integrator->step(100), StepStatus::ok);
    ASSERT_EQ(last, integrator->x());
  }
}

// A part of f that only leads off the manifold costs no steps once projection takes it out of the estimate:
// x = (cos t, sin t) plus a rough radial force.
TEST_P(EmbeddedPair, ErrorsOffTheManifoldAreNotCounted) {
  const auto steps = [&](bool estimate_too) {
    Problem problem(2, [](double t, const double* x, double* xdot) {
      const double radial = 0.05 * std::sin(40 * t);
      xdot[0] = -x[1] + radial * x[0];
      xdot[1] = x[0] + radial * x[1];
      return true;
    });
    problem.projection = [=](double, double* x, double* error) {
      const double radius = std::hypot(x[0], x[1]);
      x[0] /= radius;
      x[1] /= radius;
      if (estimate_too) make_tangential(x, error);
      return true;
    };
    const auto integrator = make(problem, 1e-7);
    integrator->start(0, Eigen::Vector2d(1, 0));
    EXPECT_EQ(run(*integrator, 10), StepStatus::ok);
    EXPECT_LT((integrator->x() - Eigen::Vector2d(std::cos(10.0), std::sin(10.0))).norm(), 1e-5);
    return integrator->statistics().steps;
  };
  EXPECT_LT(steps(true), 0.95 * steps(false));
}

TEST_P(EmbeddedPair, FailingProjectionShortensTheStepAndIsReportedInTheEnd) {
  Problem problem = oscillator();
  int failures = 3;
  problem.projection = [&](double t, double*, double*) { return t < 2 && --failures < 0; };
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::Vector2d(1, 0));
  EXPECT_EQ(run(*integrator, 3), StepStatus::projection_failed);
  EXPECT_NEAR(integrator->t(), 2, 1e-12);
  EXPECT_GE(integrator->statistics().rejected, 3);
  EXPECT_NE(integrator->message().find("t = 2 s"), std::string::npos) << integrator->message();
}

TEST_P(EmbeddedPair, LargestStepIsRespected) {
  Problem problem = oscillator();
  IntegratorOptions options = tolerances(problem, 1e-2);
  options.max_step = 0.01;
  const auto integrator = make_integrator(GetParam(), problem, options);
  integrator->start(0, Eigen::Vector2d(1, 0));
  run(*integrator, 1);
  EXPECT_LE(integrator->statistics().largest_step, 0.01);
}

// A transient of 1e-8 s at the beginning of 1e9 s: steps far below round-off of the whole run are still steps.
TEST_P(EmbeddedPair, ResolvesTheBeginningOfALongRun) {
  Problem problem(1,
                  [](double t, const double* x, double* xdot) { return xdot[0] = t < 1e-6 ? -1e8 * x[0] : 0, true; });
  const auto integrator = make(problem, 1e-8);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  while (integrator->t() < 1e-8) ASSERT_EQ(integrator->step(1e9), StepStatus::ok) << integrator->message();
  EXPECT_NEAR(integrator->x()(0), std::exp(-1e8 * integrator->t()), 1e-7);
}

TEST_P(EmbeddedPair, StartThatCannotBeLeftIsReported) {
  Problem problem(1, [](double t, const double*, double* xdot) { return xdot[0] = 1, t == 0; });
  const auto integrator = make(problem, 1e-8);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  EXPECT_EQ(integrator->step(1), StepStatus::not_finite);
  EXPECT_LT(integrator->statistics().rejected, 100);
}

// Neither x nor f gives the choice of the first step a scale.
TEST_P(EmbeddedPair, StartsFromZeroAndFromRest) {
  Problem problem(1, [](double, const double*, double* xdot) { return xdot[0] = 0, true; });
  const auto integrator = make(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  ASSERT_EQ(run(*integrator, 10), StepStatus::ok);
  EXPECT_EQ(integrator->x()(0), 0);
  EXPECT_LT(integrator->statistics().steps, 20);
}

}  // namespace
}  // namespace armature::internal
