#include "system/traced_solve.hpp"

#include <algorithm>
#include <set>

namespace armature {

namespace {

using Row = std::vector<Expression>;
using Matrix = std::vector<Row>;

std::vector<int> nonzeros(const Row& x) {
  std::vector<int> places;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!x[i].is(0)) places.push_back(static_cast<int>(i));
  return places;
}

// Least degree: eliminate next the row with fewest neighbours; its neighbours then see each other.
std::vector<int> least_degree_order(std::vector<std::set<int>> neighbours) {
  const int n = static_cast<int>(neighbours.size());
  std::vector<int> order;
  std::vector<bool> done(n, false);
  for (int step = 0; step < n; ++step) {
    int best = -1;
    for (int i = 0; i < n; ++i)
      if (!done[i] && (best < 0 || neighbours[i].size() < neighbours[best].size())) best = i;
    done[best] = true;
    order.push_back(best);
    for (int i : neighbours[best]) {
      neighbours[i].erase(best);
      for (int j : neighbours[best])
        if (i != j) neighbours[i].insert(j);
    }
  }
  return order;
}

}  // namespace

// Right-looking: each pivot updates the entries behind it that it touches, and no others.
TracedSolve::Factor TracedSolve::factor(Matrix A) {
  const int n = static_cast<int>(A.size());
  Factor factor;
  for (int k = 0; k < n; ++k) {
    factor.D.push_back(A[k][k]);
    factor.inverse_D.push_back(1.0 / A[k][k]);
    std::vector<int> touched;
    for (int i = k + 1; i < n; ++i)
      if (!A[i][k].is(0)) touched.push_back(i);
    for (int i : touched) {
      const Expression l = A[i][k] * factor.inverse_D[k];
      for (int j : touched)
        if (j <= i) A[i][j] -= l * A[j][k];
    }
    for (int i : touched) A[i][k] *= factor.inverse_D[k];
  }
  factor.L = std::move(A);
  return factor;
}

void TracedSolve::forward(const Factor& factor, Row& x) {
  const int n = static_cast<int>(x.size());
  for (int k = 0; k < n; ++k) {
    if (x[k].is(0)) continue;
    for (int i = k + 1; i < n; ++i)
      if (!factor.L[i][k].is(0)) x[i] -= factor.L[i][k] * x[k];
  }
}

void TracedSolve::backward(const Factor& factor, Row& x) {
  for (int k = static_cast<int>(x.size()) - 1; k >= 0; --k)
    for (int i = k + 1; i < static_cast<int>(x.size()); ++i)
      if (!factor.L[i][k].is(0)) x[k] -= factor.L[i][k] * x[i];
}

TracedSolve::TracedSolve(const Row& M, const std::vector<int>& order, const Matrix& Phi, const std::vector<int>& groups)
    : order_(order) {
  const int n = static_cast<int>(order.size()), m = static_cast<int>(Phi.size());
  Matrix permuted(n, Row(n, 0.0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) permuted[i][j] = M[order[i] * n + order[j]];
  M_ = factor(std::move(permuted));

  Matrix W;
  std::vector<std::vector<int>> pattern;
  for (const Row& row : Phi) {
    Row w(n, 0.0);
    for (int i = 0; i < n; ++i) w[i] = row[order[i]];
    forward(M_, w);
    pattern.push_back(nonzeros(w));
    W.push_back(std::move(w));
  }
  std::vector<std::vector<int>> rows_at(n);
  for (int r = 0; r < m; ++r)
    for (int i : pattern[r]) rows_at[i].push_back(r);
  std::vector<std::set<int>> neighbours(m);
  for (const auto& rows : rows_at)
    for (int r : rows)
      for (int s : rows)
        if (r != s) neighbours[r].insert(s);
  row_order_ = least_degree_order(neighbours);

  // S = W D^-1 W', lower triangle in the order of elimination
  Matrix S(m, Row(m, 0.0));
  for (int r = 0; r < m; ++r) {
    const int row = row_order_[r];
    Row scaled(n, 0.0);
    for (int i : pattern[row]) scaled[i] = W[row][i] * M_.inverse_D[i];
    for (int s = 0; s <= r; ++s) {
      const int other = row_order_[s];
      if (r != s && !neighbours[row].contains(other)) continue;
      for (int i : pattern[other])
        if (!scaled[i].is(0)) S[r][s] += scaled[i] * W[other][i];
    }
  }
  // a row that vanishes is small against the other components of its vector, not against itself
  for (int r = 0; r < m; ++r) {
    Expression scale = 0;
    for (int s = 0; s < m; ++s)
      if (groups[row_order_[s]] == groups[row_order_[r]]) scale += S[s][s];
    scale_.push_back(scale);
  }
  S_ = factor(std::move(S));
  W_ = std::move(W);
}

TracedSolve::Solution TracedSolve::solve(const Row& f, const Row& b) const {
  const int n = static_cast<int>(order_.size()), m = static_cast<int>(W_.size());
  Row y(n, 0.0);
  for (int i = 0; i < n; ++i) y[i] = f[order_[i]];
  forward(M_, y);

  // S lambda = W D^-1 y - b
  Row lambda(m, 0.0);
  for (int r = 0; r < m; ++r) {
    const int row = row_order_[r];
    lambda[r] = -b[row];
    for (int i : nonzeros(W_[row]))
      if (!y[i].is(0)) lambda[r] += W_[row][i] * (y[i] * M_.inverse_D[i]);
  }
  forward(S_, lambda);
  for (int r = 0; r < m; ++r) lambda[r] *= S_.inverse_D[r];
  backward(S_, lambda);

  // vdot = L^-T D^-1 (y - W lambda)
  for (int r = 0; r < m; ++r)
    for (int i : nonzeros(W_[row_order_[r]])) y[i] -= W_[row_order_[r]][i] * lambda[r];
  for (int i = 0; i < n; ++i) y[i] *= M_.inverse_D[i];
  backward(M_, y);

  Solution solution{Row(n, 0.0), Row(m, 0.0)};
  for (int i = 0; i < n; ++i) solution.vdot[order_[i]] = y[i];
  for (int r = 0; r < m; ++r) solution.lambda[row_order_[r]] = lambda[r];
  return solution;
}

}  // namespace armature
