#include "integrate/radau5.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <fstream>
#include <regex>
#include <string>

#include "integrate/pendulum.hpp"
#include "integrate/problems.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

std::unique_ptr<Integrator> radau(Ode& ode, double tolerance) {
  return make_integrator("radau5", ode, tolerances(ode, tolerance));
}

// A^-1 = T Lambda T^-1, and the polynomials are 1 at their own point.
TEST(RadauMethod, IsDiagonalInItsTransformation) {
  const RadauMethod& m = RadauMethod::get();
  Eigen::Matrix3d Lambda = Eigen::Matrix3d::Zero();
  Lambda(0, 0) = m.gamma;
  Lambda.bottomRightCorner<2, 2>() << m.alpha.real(), -m.alpha.imag(), m.alpha.imag(), m.alpha.real();
  EXPECT_LT((m.inverse_of_T * m.A.inverse() * m.T - Lambda).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_GT(m.alpha.imag(), 0);
  for (int i = 0; i < 3; ++i) {
    const double r = m.c[i] - 1;
    const Eigen::RowVector3d at = Eigen::RowVector4d(1, r, r * r, r * r * r) * m.basis;
    EXPECT_LT((at - Eigen::RowVector3d::Unit(i)).cwiseAbs().maxCoeff(), 1e-14) << i;
  }
}

// Collocation: sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1, 2, 3, and the quadrature at the end is exact up to degree 4.
TEST(RadauMethod, IntegratesPolynomials) {
  const RadauMethod& m = RadauMethod::get();
  const Eigen::Array3d c = m.c.array();
  for (int k = 1; k <= 3; ++k)
    EXPECT_LT((m.A * c.pow(k - 1).matrix() - (c.pow(k) / k).matrix()).cwiseAbs().maxCoeff(), 1e-15) << k;
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(m.A.row(2).dot(c.pow(k - 1).matrix()), 1.0 / k, 1e-15) << k;
}

// Steps of one length, without error control. A small rtol holds Newton's iteration to round-off.
double error_with_steps(double h) {
  Problem problem = smooth_problem();
  Tolerance tolerance{1e-14, Eigen::VectorXd::Constant(3, 1e-14)};
  long evaluations = 0;
  RadauStages stages(problem, tolerance, evaluations);
  Eigen::VectorXd x = smooth_solution(0), xdot(3);
  double t = 0;
  for (; t < 2 - h / 2; t += h) {
    problem.derivative(t, x.data(), xdot.data());
    EXPECT_TRUE(stages.take_jacobian(t, x, xdot));
    EXPECT_EQ(stages.factor(h), DenseLu::Result::done);
    stages.forget();
    stages.extrapolate(0);
    // the iteration ends at its limit where round-off is all that is left
    for (int again = 0; again < 4 && stages.solve(t, x, h) != RadauStages::Result::converged; ++again) {
    }
    x += stages.Z().col(2);
  }
  return (x - smooth_solution(t)).norm();
}

TEST(Radau5, HasOrderFive) {
  const double slope = std::log2(error_with_steps(0.1) / error_with_steps(0.05));
  EXPECT_NEAR(slope, 5, 0.2);
}

// The largest error inside one step from t = 1, taken at once: O(h^5).
double radau_dense_error(double h) {
  Problem problem = smooth_problem();
  IntegratorOptions options = tolerances(problem, 1e-3);
  options.first_step = h;
  const auto integrator = make_integrator("radau5", problem, options);
  integrator->start(1, smooth_solution(1));
  EXPECT_EQ(integrator->step(10), StepStatus::ok);
  EXPECT_NEAR(integrator->t(), 1 + h, 1e-12);
  Eigen::VectorXd x(3);
  double largest = 0;
  for (double theta = 0.05; theta < 1; theta += 0.05) {
    integrator->interpolate(1 + theta * h, x);
    largest = std::max(largest, (x - smooth_solution(1 + theta * h)).norm());
  }
  return largest;
}

TEST(Radau5, HasDenseOutputOfOrderFour) {
  EXPECT_NEAR(std::log2(radau_dense_error(0.1) / radau_dense_error(0.05)), 5, 0.3);
}

TEST(Radau5, HasASlopeThatGoesOnFromStepToStep) {
  Problem problem = smooth_problem();
  const auto integrator = radau(problem, 1e-6);
  integrator->start(0, smooth_solution(0));
  Eigen::VectorXd x, slope;
  for (int k = 0; k < 10; ++k) {
    ASSERT_EQ(integrator->step(5), StepStatus::ok);
    const double h = integrator->t() - integrator->previous_t(), d = 1e-4 * h;
    const auto at = [&](double t) { return integrator->interpolate(t, x), x; };
    const Eigen::VectorXd begins = (at(integrator->previous_t() + d) - at(integrator->previous_t())) / d;
    if (slope.size() > 0) {
      EXPECT_LT((begins - slope).norm(), 1e-3) << k;
    }
    slope = (at(integrator->t()) - at(integrator->t() - d)) / d;
  }
}

TEST(Radau5, HitsStopsExactlyAndNeverPassesThem) {
  Problem problem = oscillator();
  const auto integrator = radau(problem, 1e-6);
  integrator->start(0, Eigen::Vector2d(1, 0));
  for (double stop : {1.0, 1.0 + 1e-15, 1.0 + 1e-3, 2.7, 5.0}) {
    ASSERT_EQ(run(*integrator, stop), StepStatus::ok) << integrator->message();
    ASSERT_EQ(integrator->t(), stop);
  }
  EXPECT_NEAR(integrator->x()(0), std::cos(5.0), 1e-5);
}

TEST(Radau5, SolvesVanDerPolWithAndWithoutAJacobian) {
  for (const bool with_jacobian : {true, false}) {
    Problem problem = van_der_pol(with_jacobian);
    const auto integrator = radau(problem, 1e-8);
    integrator->start(0, Eigen::Vector2d(2, 0));
    ASSERT_EQ(run(*integrator, 2), StepStatus::ok) << integrator->message();
    // 1000 steps whose errors are 1e-8 and of either sign
    EXPECT_NEAR(integrator->x()(0), van_der_pol_end[0], 1e-7);
    EXPECT_NEAR(integrator->x()(1), van_der_pol_end[1], 1e-7);
    EXPECT_LT(integrator->statistics().steps, 2000);  // cvode_bdf: 3086
    EXPECT_EQ(integrator->statistics().jacobians > 0, with_jacobian);
  }
}

struct Measured {
  double error = 0;
  long steps = 0;
};

Measured measured(const std::string& name, Problem& problem, double rtol, const Eigen::VectorXd& start, double end,
                  const Eigen::VectorXd& solution) {
  const auto integrator = make_integrator(name, problem, tolerances(problem, rtol));
  integrator->start(0, start);
  EXPECT_EQ(run(*integrator, end), StepStatus::ok) << integrator->message();
  return {(integrator->x() - solution).norm(), integrator->statistics().steps};
}

// The last table of docs/theory/radau.md: steps to a tenth, errors to a factor of three.
TEST(Radau5, MeasuresWhatItsPageSays) {
  std::ifstream page(std::string(source_directory) + "/docs/theory/radau.md");
  const std::regex row(R"(\| (van der Pol|pendulum) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|)");
  int rows = 0;
  for (std::string line; std::getline(page, line);) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    ++rows;
    const double rtol = std::stod(cells[2]);
    for (const auto& [name, first] : {std::pair{"radau5", 3}, std::pair{"cvode_bdf", 5}}) {
      Problem stiff = van_der_pol(true), swinging = pendulum(true);
      const Measured found = cells[1] == "pendulum"
                                 ? measured(name, swinging, rtol, pendulum_start(), 20, pendulum_solution(20))
                                 : measured(name, stiff, rtol, Eigen::Vector2d(2, 0), 2, van_der_pol_end);
      const double error = std::stod(cells[first]), steps = std::stod(cells[first + 1]);
      EXPECT_LT(found.error, 3 * error) << name << ": " << line;
      EXPECT_GT(found.error, error / 3) << name << ": " << line;
      EXPECT_NEAR(static_cast<double>(found.steps), steps, 0.1 * steps) << name << ": " << line;
    }
  }
  EXPECT_EQ(rows, 4);
}

// Robertson's kinetics to t = 1e11, where y is nearly used up. Reference: Test Set for IVP Solvers, problem ROBER.
TEST(Radau5, SolvesRobertsonsKinetics) {
  Problem problem(3, [](double, const double* y, double* ydot) {
    ydot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    ydot[2] = 3e7 * y[1] * y[1];
    ydot[1] = -ydot[0] - ydot[2];
    return true;
  });
  problem.jacobian_of = [](double, const double* y, Eigen::MatrixXd& J) {
    J << -0.04, 1e4 * y[2], 1e4 * y[1],               //
        0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1],  //
        0, 6e7 * y[1], 0;
    return true;
  };
  IntegratorOptions options = tolerances(problem, 1e-8);
  options.atol = Eigen::Vector3d(1e-14, 1e-18, 1e-14);
  const auto integrator = make_integrator("radau5", problem, options);
  integrator->start(0, Eigen::Vector3d(1, 0, 0));
  ASSERT_EQ(run(*integrator, 1e11), StepStatus::ok) << integrator->message();
  EXPECT_NEAR(integrator->x()(0) / 0.2083340149701255e-7, 1, 1e-5);
  EXPECT_NEAR(integrator->x()(1) / 0.8333360770334713e-13, 1, 1e-5);
  EXPECT_NEAR(integrator->x()(2), 0.9999999791665050, 1e-8);
  EXPECT_LT(integrator->statistics().steps, 1000);
}

TEST(Radau5, StaysOnTheManifold) {
  Problem problem = pendulum(true);
  const auto integrator = radau(problem, 1e-8);
  integrator->start(0, pendulum_start());
  while (integrator->t() < 20) {
    ASSERT_EQ(integrator->step(20), StepStatus::ok) << integrator->message();
    ASSERT_NEAR(integrator->x().head(2).norm(), 1, 1e-14);
  }
  EXPECT_GE(integrator->statistics().projections, integrator->statistics().steps);
  EXPECT_LT((integrator->x() - pendulum_solution(20)).norm(), 2e-7);  // 270 steps of 1e-8 at most; measured 1e-8
}

TEST(Radau5, StartsAgainAfterAnEvent) {
  Problem problem = oscillator();
  const auto integrator = radau(problem, 1e-8);
  integrator->start(0, Eigen::Vector2d(1, 0));
  ASSERT_EQ(run(*integrator, 1), StepStatus::ok);
  integrator->start(1, Eigen::Vector2d(0, 2));
  ASSERT_EQ(run(*integrator, 2), StepStatus::ok);
  EXPECT_NEAR(integrator->x()(0), 2 * std::sin(1.0), 1e-7);
}

TEST(Radau5, ShortensTheStepWhereTheDerivativeFails) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = 2 - x[0], x[0] < 2; });
  IntegratorOptions options = tolerances(problem, 1e-6);
  options.first_step = 2;
  const auto integrator = make_integrator("radau5", problem, options);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  ASSERT_EQ(run(*integrator, 3), StepStatus::ok) << integrator->message();
  EXPECT_NEAR(integrator->x()(0), 2 - std::exp(-3.0), 1e-5);
}

TEST(Radau5, ReportsADerivativeThatNeverComesBack) {
  Problem problem(1, [](double t, const double*, double* xdot) { return xdot[0] = 1, t < 0.5; });
  const auto integrator = radau(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Zero(1));
  EXPECT_EQ(run(*integrator, 1), StepStatus::not_finite);
  EXPECT_NE(integrator->message().find("t = 0.5 s"), std::string::npos) << integrator->message();
}

TEST(Radau5, EndsABlowUpWithASentenceThatNamesTheTime) {
  Problem problem(1, [](double, const double* x, double* xdot) { return xdot[0] = x[0] * x[0], true; });
  const auto integrator = radau(problem, 1e-6);
  integrator->start(0, Eigen::VectorXd::Ones(1));
  EXPECT_NE(run(*integrator, 2), StepStatus::ok);
  EXPECT_NEAR(integrator->t(), 1, 1e-3);
  EXPECT_NE(integrator->message().find("t = "), std::string::npos) << integrator->message();
}

TEST(Radau5, ReportsAFailedProjection) {
  Problem problem = oscillator();
  problem.projection = [](double t, double*, double*) { return t < 1; };
  const auto integrator = radau(problem, 1e-6);
  integrator->start(0, Eigen::Vector2d(1, 0));
  EXPECT_EQ(run(*integrator, 2), StepStatus::projection_failed) << integrator->message();
}

}  // namespace
}  // namespace armature::internal
