// Measured orders: slopes of log(error) over log(h) on a smooth, nonlinear problem that depends on t.
#include <gtest/gtest.h>

#include "integrate/fixed_step.hpp"
#include "integrate/pendulum.hpp"
#include "integrate/problems.hpp"

namespace armature::internal {
namespace {

struct Order {
  const char* name;
  double order;  // of the solution
  double dense;  // of dense output: its error over one step is O(h^(dense+1))
  // Coarser runs: steps over [0, 2], and the one step's length; the leading term rules, errors are far above round-off.
  int steps;
  double dense_step;
};

std::unique_ptr<Integrator> constant_step(const std::string& name, Ode& ode, double step) {
  IntegratorOptions options;
  options.step = step;
  if (name == "semi_implicit_euler") return make_integrator(name, ode, options);
  return std::make_unique<FixedStep>(tableau(name), ode, options);
}

double error_at_end(const std::string& name, int steps) {
  Problem problem = smooth_problem();
  problem.positions = 1;
  const auto integrator = constant_step(name, problem, 2.0 / steps);
  integrator->start(0, smooth_solution(0));
  EXPECT_EQ(run(*integrator, 2), StepStatus::ok);
  return (integrator->x() - smooth_solution(2)).norm();
}

// Largest error inside one step from t = 1.
double dense_error(const std::string& name, double h) {
  Problem problem = smooth_problem();
  const auto integrator = constant_step(name, problem, h);
  integrator->start(1, smooth_solution(1));
  integrator->step(10);
  Eigen::VectorXd x(3);
  double largest = 0;
  for (double theta = 0.05; theta < 1; theta += 0.05) {
    integrator->interpolate(1 + theta * h, x);
    largest = std::max(largest, (x - smooth_solution(1 + theta * h)).norm());
  }
  return largest;
}

class MeasuredOrder : public testing::TestWithParam<Order> {};
INSTANTIATE_TEST_SUITE_P(Names, MeasuredOrder,
                         testing::Values(Order{"euler", 1, 1, 500, 1e-3}, Order{"semi_implicit_euler", 1, 1, 500, 1e-3},
                                         Order{"rk2", 2, 2, 200, 1e-2}, Order{"rk4", 4, 3, 60, 1e-2},
                                         Order{"dopri5", 5, 4, 80, 0.05}, Order{"dop853", 8, 7, 8, 0.15}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(MeasuredOrder, OfTheSolutionIsThatOfTheory) {
  const Order& method = GetParam();
  const double slope = std::log2(error_at_end(method.name, method.steps) / error_at_end(method.name, 2 * method.steps));
  EXPECT_NEAR(slope, method.order, 0.1);
}

TEST_P(MeasuredOrder, OfDenseOutputIsThatOfTheory) {
  const Order& method = GetParam();
  const double h = method.dense_step, slope = std::log2(dense_error(method.name, h) / dense_error(method.name, h / 2));
  EXPECT_NEAR(slope, method.dense + 1, 0.1);
}

// Largest error inside the step from t = 1.6 of the pendulum, whose end is moved back to the circle.
double projected_dense_error(const std::string& name, double h) {
  Problem problem = pendulum(true);
  const auto integrator = constant_step(name, problem, h);
  integrator->start(1.6, pendulum_solution(1.6));
  integrator->step(10);
  Eigen::VectorXd x(4);
  double largest = 0;
  for (double theta = 0.1; theta < 1; theta += 0.1) {
    integrator->interpolate(1.6 + theta * h, x);
    largest = std::max(largest, (x - pendulum_solution(1.6 + theta * h)).norm());
  }
  return largest;
}

TEST(DenseOutput, KeepsItsOrderBesideProjection) {
  EXPECT_NEAR(std::log2(projected_dense_error("rk4", 0.05) / projected_dense_error("rk4", 0.025)), 4, 0.1);
  EXPECT_NEAR(std::log2(projected_dense_error("dopri5", 0.05) / projected_dense_error("dopri5", 0.025)), 5, 0.1);
  EXPECT_NEAR(std::log2(projected_dense_error("dop853", 0.2) / projected_dense_error("dop853", 0.1)), 8, 0.1);
}

}  // namespace
}  // namespace armature::internal
