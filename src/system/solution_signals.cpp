#include "system/solution_signals.hpp"

#include <algorithm>

#include "mechanics/solution_leaves.hpp"
#include "system/composite_solve.hpp"
#include "system/flow.hpp"
#include "system/substitute.hpp"

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

// A x = b with A symmetric, positive definite and small.
List solve_small(std::vector<List> A, List b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      const Expression factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) b[i] -= A[i][j] * b[j];
    b[i] = b[i] / A[i][i];
  }
  return b;
}

Expression dot(const List& x, const List& y) {
  Expression sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

struct Solution {
  List vdot, lambda;
};

Solution solution_of(const Equations& e, const std::vector<int>& independent) {
  // rows of Phi and gamma
  Derivative along_flow(flow_of_states(e));
  ExpressionMatrix Phi(0, static_cast<int>(e.v.size()));
  std::vector<ExpressionMatrix::Row> dependent;
  std::vector<std::size_t> dependent_rows;
  List gamma;
  std::vector<int> groups;
  for (std::size_t r = 0; r < e.rows.size(); ++r) {
    const Expression rate = along_flow(e.rows[r].phi);
    ExpressionMatrix::Row row = row_of(rate, e.v);
    if (std::ranges::count(independent, static_cast<int>(r)) == 0) {
      dependent.push_back(std::move(row)), dependent_rows.push_back(r);
      continue;
    }
    Phi.add_row(std::move(row));
    gamma.push_back(-along_flow(rate));
    groups.push_back(static_cast<int>(groups.size()));
  }
  const CompositeSolve solve(e.M, e.elimination_order, Phi, groups);
  const TracedSolve::Solution found = solve.solve({e.f, gamma});
  Solution solution{found.vdot, List(e.rows.size(), 0.0)};
  for (std::size_t i = 0; i < independent.size(); ++i)
    solution.lambda[static_cast<std::size_t>(independent[i])] = found.lambda[i];
  if (dependent.empty()) return solution;

  // K: a dependent row as a force is what multipliers of the independent ones balance
  std::vector<List> K;
  for (const ExpressionMatrix::Row& row : dependent) {
    List force(e.v.size(), 0.0);
    for (const auto& [k, entry] : row) force[static_cast<std::size_t>(k)] = entry;
    K.push_back(solve.solve({force, List(gamma.size(), 0.0)}).lambda);
  }
  std::vector<List> A(K.size(), List(K.size(), 0.0));
  List b;
  for (std::size_t i = 0; i < K.size(); ++i) {
    for (std::size_t j = 0; j < K.size(); ++j) A[i][j] = dot(K[i], K[j]) + (i == j ? 1.0 : 0.0);
    b.push_back(dot(K[i], found.lambda));
  }
  const List lambda_D = solve_small(A, b);
  for (std::size_t d = 0; d < K.size(); ++d) {
    solution.lambda[dependent_rows[d]] = lambda_D[d];
    for (std::size_t i = 0; i < independent.size(); ++i)
      solution.lambda[static_cast<std::size_t>(independent[i])] -= K[d][i] * lambda_D[d];
  }
  return solution;
}

}  // namespace

SolutionSignals::SolutionSignals(std::shared_ptr<Equations> equations) : equations_(std::move(equations)) {
  for (const Graph::Comparison& comparison : equations_->graph->comparisons()) roots_.push_back(comparison.root);
}

std::shared_ptr<const Equations> SolutionSignals::copy_with(const LeafMap& values) {
  for (std::size_t k = 0; k < roots_.size(); ++k) equations_->graph->set_root(static_cast<int>(k), roots_[k]);
  auto copy = std::make_shared<Equations>(*equations_);
  for (Quantity& quantity : copy->quantities) {
    quantity.has_acceleration = has_acceleration(*equations_, quantity.value);
    quantity.has_force = has_constraint_force(*equations_, quantity.value);
  }
  substitute(*copy, values);
  return copy;
}

std::shared_ptr<const Equations> SolutionSignals::at_zero() {
  if (!any()) return equations_;
  LeafMap zero;
  for (const List* leaves : {&equations_->a, &equations_->lambda})
    for (const Expression& leaf : *leaves) zero[leaf.id()] = 0.0;
  for (const ReactionSignal& signal : equations_->reaction_signals)
    for (const Expression& leaf : signal.leaf) zero[leaf.id()] = 0.0;
  return copy_with(zero);
}

std::shared_ptr<const Equations> SolutionSignals::solved(const std::vector<int>& independent_rows) {
  if (!any()) return equations_;
  const Solution solution = solution_of(*equations_, independent_rows);
  LeafMap values;
  for (std::size_t k = 0; k < equations_->a.size(); ++k) values[equations_->a[k].id()] = solution.vdot[k];
  for (std::size_t r = 0; r < equations_->lambda.size(); ++r) values[equations_->lambda[r].id()] = solution.lambda[r];
  Substitution substituted(values);
  for (const ReactionSignal& signal : equations_->reaction_signals)
    for (std::size_t i = 0; i < 6; ++i) values[signal.leaf[i].id()] = substituted(signal.reaction.wrench[i]);
  return copy_with(values);
}

}  // namespace armature::internal
