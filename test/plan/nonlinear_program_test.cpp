// The derivatives of a whole program, against central differences.
#include "plan/nonlinear_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "plan/first_guess.hpp"
#include "read/reader.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(int rows, int columns, const std::vector<NonlinearProgram::Triplet>& structure,
               const std::vector<double>& values, bool symmetric) {
  MatrixXd A = MatrixXd::Zero(rows, columns);
  for (std::size_t k = 0; k < values.size(); ++k) {
    A(structure[k].row, structure[k].column) += values[k];
    if (symmetric && structure[k].row != structure[k].column) A(structure[k].column, structure[k].row) += values[k];
  }
  return A;
}

// A loop, motors, explicit time, a limit and a cost: every kind of block and term.
TEST(NonlinearProgram, HasExactFirstAndSecondDerivatives) {
  const Model model = read_model(std::string(source_directory) + "/models/plan/five_bar.yaml");
  PlanOptions options;
  options.to = {{"hand.P.x", "0.2 m"}, {"hand.P.y", "0.35 m"}};
  options.minimize = "(volts1 - 3*t)^2 + volts2^2*theta1";
  options.keep = {"hand.P.x^2 + t*hand.P.y >= 0.01"};
  options.shortest = 0.1, options.longest = 1;
  const auto machine = plan_machine(model, options);
  const Collocation collocation(*machine, true);
  const NonlinearProgram program = collocation.transcribe(first_guess(collocation, 2)).program;
  const int n = program.variables(), m = program.rows();
  std::mt19937 draw(1);
  std::uniform_real_distribution<double> within(-1, 1);
  VectorXd x = Eigen::Map<const VectorXd>(program.guess().data(), n);
  for (int k = 0; k < n; ++k) x[k] += 0.05 * within(draw);
  VectorXd multipliers(m);
  for (int k = 0; k < m; ++k) multipliers[k] = within(draw);
  const auto rows = [&](const VectorXd& at) {
    VectorXd out(m);
    program.rows_at(at.data(), out.data());
    return out;
  };
  const auto jacobian = [&](const VectorXd& at) {
    const auto structure = program.jacobian_structure();
    std::vector<double> values(structure.size());
    program.jacobian(at.data(), values.data());
    return dense(m, n, structure, values, false);
  };
  const auto gradient = [&](const VectorXd& at) {
    VectorXd out(n);
    program.gradient(at.data(), out.data());
    return out;
  };
  const MatrixXd J = jacobian(x);
  const VectorXd g = gradient(x);
  const auto structure = program.hessian_structure();
  std::vector<double> values(structure.size());
  program.hessian(x.data(), 0.7, multipliers.data(), values.data());
  const MatrixXd H = dense(n, n, structure, values, true);
  constexpr double step = 1e-5;
  for (int k = 0; k < n; ++k) {
    VectorXd above = x, below = x;
    above[k] += step, below[k] -= step;
    const VectorXd difference = (rows(above) - rows(below)) / (2 * step);
    EXPECT_LT((difference - J.col(k)).lpNorm<Eigen::Infinity>(), 1e-6 * (1 + J.col(k).lpNorm<Eigen::Infinity>())) << k;
    EXPECT_NEAR((program.cost_at(above.data()) - program.cost_at(below.data())) / (2 * step), g[k],
                1e-6 * (1 + std::abs(g[k])));
    const VectorXd second =
        (0.7 * (gradient(above) - gradient(below)) + (jacobian(above) - jacobian(below)).transpose() * multipliers) /
        (2 * step);
    EXPECT_LT((second - H.col(k)).lpNorm<Eigen::Infinity>(), 1e-6 * (1 + H.col(k).lpNorm<Eigen::Infinity>())) << k;
  }
}

}  // namespace
}  // namespace armature::internal
