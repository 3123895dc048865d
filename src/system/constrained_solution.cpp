#include "system/constrained_solution.hpp"

#include <algorithm>

#include "system/flow.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

ExpressionMatrix::Row row_of(Expression rate, const List& v) {
  ExpressionMatrix::Row row;
  const List slopes = gradient(rate, v);
  for (std::size_t k = 0; k < slopes.size(); ++k)
    if (!slopes[k].is(0)) row.push_back({static_cast<int>(k), slopes[k]});
  return row;
}

Expression product(const List& x, const List& y) {
  Expression sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

List solve_small(std::vector<List> A, List b, List* pivots) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    if (pivots) pivots->push_back(A[k][k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Expression factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= A[i][j] * b[j];
    b[i] = b[i] / A[i][i];
  }
  return b;
}

ConstrainedSolution::ConstrainedSolution(const Equations& e, const std::vector<int>& independent)
    : rows_(e.rows.size()), independent_(independent) {
  Derivative along_flow(flow_of_states(e));
  ExpressionMatrix Phi(0, static_cast<int>(e.v.size()));
  std::vector<ExpressionMatrix::Row> dependent;
  std::vector<int> groups;
  for (std::size_t r = 0; r < e.rows.size(); ++r) {
    const Expression rate = rate_of(e.rows[r], along_flow);
    ExpressionMatrix::Row row = row_of(rate, e.v);
    if (std::ranges::count(independent, static_cast<int>(r)) == 0) {
      dependent.push_back(std::move(row)), dependent_rows_.push_back(r);
      continue;
    }
    Phi.add_row(std::move(row));
    gamma_.push_back(-along_flow(rate));
    groups.push_back(static_cast<int>(groups.size()));
  }
  solve_ = std::make_unique<CompositeSolve>(e.M, e.elimination_order, Phi, groups);
  // K: a dependent row as a force is what multipliers of the independent ones balance
  for (const ExpressionMatrix::Row& row : dependent) {
    List force(e.v.size(), 0.0);
    for (const auto& [k, entry] : row) force[static_cast<std::size_t>(k)] = entry;
    K_.push_back(solve_->solve({force, List(gamma_.size(), 0.0)}).lambda);
  }
}

ConstrainedSolution::Values ConstrainedSolution::with_forces(const List& f) const { return solve(f, gamma_); }

ConstrainedSolution::Values ConstrainedSolution::response_to(const List& force) const {
  return solve(force, List(gamma_.size(), 0.0));
}

Expression ConstrainedSolution::along_force(const Values& response, const List& force) const {
  return product(response.vdot, force);
}

// M z + Phi' mu = c and Phi z = 0:  c' vdot = z'(f - Phi' lambda) + mu' Phi vdot = z' f + mu' gamma
Expression ConstrainedSolution::along(const Values& response, const List& f) const {
  return product(response.vdot, f) + product(response.lambda, gamma_);
}

List ConstrainedSolution::balanced_multipliers(std::size_t d) const {
  List lambda(rows_, 0.0);
  lambda[dependent_rows_[d]] = 1.0;
  for (std::size_t i = 0; i < independent_.size(); ++i) lambda[static_cast<std::size_t>(independent_[i])] = -K_[d][i];
  return lambda;
}

ConstrainedSolution::Values ConstrainedSolution::solve(const List& f, const List& gamma) const {
  const TracedSolve::Solution found = solve_->solve({f, gamma});
  Values values{found.vdot, List(rows_, 0.0)};
  for (std::size_t i = 0; i < independent_.size(); ++i)
    values.lambda[static_cast<std::size_t>(independent_[i])] = found.lambda[i];
  if (K_.empty()) return values;
  std::vector<List> A(K_.size(), List(K_.size(), 0.0));
  List b;
  for (std::size_t i = 0; i < K_.size(); ++i) {
    for (std::size_t j = 0; j < K_.size(); ++j) A[i][j] = product(K_[i], K_[j]) + (i == j ? 1.0 : 0.0);
    b.push_back(product(K_[i], found.lambda));
  }
  const List lambda_D = solve_small(A, b);
  for (std::size_t d = 0; d < K_.size(); ++d) {
    values.lambda[dependent_rows_[d]] = lambda_D[d];
    for (std::size_t i = 0; i < independent_.size(); ++i)
      values.lambda[static_cast<std::size_t>(independent_[i])] -= K_[d][i] * lambda_D[d];
  }
  return values;
}

}  // namespace armature::internal
