#include "system/traced_solve.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace armature {

namespace {

using List = std::vector<Expression>;

// Least degree: eliminate next the row with fewest neighbours; its neighbours then see each other.
std::vector<int> least_degree_order(const std::vector<std::vector<int>>& pattern) {
  const int n = static_cast<int>(pattern.size());
  std::vector<std::set<int>> neighbours(n);
  std::set<std::pair<std::size_t, int>> left;  // {degree, row}
  for (int i = 0; i < n; ++i) {
    neighbours[i].insert(pattern[i].begin(), pattern[i].end());
    left.insert({neighbours[i].size(), i});
  }
  std::vector<int> order;
  while (!left.empty()) {
    const int best = left.begin()->second;
    left.erase(left.begin());
    order.push_back(best);
    for (int i : neighbours[best]) {
      left.erase({neighbours[i].size(), i});
      neighbours[i].erase(best);
      for (int j : neighbours[best])
        if (i != j) neighbours[i].insert(j);
      left.insert({neighbours[i].size(), i});
    }
  }
  return order;
}

}  // namespace

// The lower triangle of a symmetric matrix, by columns.
class TracedSolve::Lower {
 public:
  explicit Lower(int n) : columns(n) {}
  Expression& operator()(int i, int j) { return columns[j][i]; }
  std::vector<std::map<int, Expression>> columns;
};

// Right-looking: each pivot updates the entries behind it that it touches, and no others.
TracedSolve::Factor TracedSolve::factor(Lower A) {
  const int n = static_cast<int>(A.columns.size());
  Factor factor;
  for (int k = 0; k < n; ++k) {
    factor.D.push_back(A(k, k));
    factor.inverse_D.push_back(1.0 / A(k, k));
    Entries column;
    for (const auto& [i, entry] : A.columns[k])
      if (i > k && !entry.is(0)) column.push_back({i, entry});
    for (const auto& [i, entry] : column) {
      const Expression l = entry * factor.inverse_D[k];
      for (const auto& [j, other] : column)
        if (j <= i) A(i, j) -= l * other;
    }
    for (Entry& entry : column) entry.value *= factor.inverse_D[k];
    factor.L.push_back(std::move(column));
    A.columns[k].clear();
  }
  return factor;
}

void TracedSolve::forward(const Factor& factor, List& x) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k].is(0)) continue;
    for (const auto& [i, l] : factor.L[k]) x[i] -= l * x[k];
  }
}

void TracedSolve::backward(const Factor& factor, List& x) {
  for (std::size_t k = x.size(); k-- > 0;)
    for (const auto& [i, l] : factor.L[k]) x[k] -= l * x[i];
}

TracedSolve::TracedSolve(const ExpressionMatrix& M, const std::vector<int>& order, const ExpressionMatrix& Phi,
                         const std::vector<int>& groups, const List& extents)
    : order_(order) {
  const int n = static_cast<int>(order.size()), m = Phi.rows();
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[order[i]] = i;
  Lower permuted(n);
  for (int i = 0; i < n; ++i)
    for (const auto& [column, entry] : M.row(order[i]))
      if (place[column] <= i) permuted(i, place[column]) = entry;
  M_ = factor(std::move(permuted));

  take_rows(Phi);
  row_order_ = least_degree_order(neighbours_);
  Lower S = schur_complement();
  // a row that vanishes is small against the other components of its vector, or against its extent; not against itself
  std::map<int, Expression> sums;
  for (int r = 0; r < m; ++r) sums[groups[row_order_[r]]] += S(r, r);
  for (int r = 0; r < m; ++r) {
    const auto row = static_cast<std::size_t>(row_order_[r]);
    const bool own = extents.empty() || extents[row].is(0);
    scale_.push_back(own ? sums[groups[row]] : extents[row]);
  }
  S_ = factor(std::move(S));
}

// W = L^-1 Phi', and which rows meet.
void TracedSolve::take_rows(const ExpressionMatrix& Phi) {
  const int n = static_cast<int>(order_.size()), m = Phi.rows();
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[order_[i]] = i;
  std::vector<std::vector<int>> rows_at(n);
  for (int r = 0; r < m; ++r) {
    std::map<int, Expression> w;
    for (const auto& [column, entry] : Phi.row(r)) w[place[column]] = entry;
    for (auto k = w.begin(); k != w.end(); ++k)  // grows behind k only
      if (!k->second.is(0))
        for (const auto& [i, l] : M_.L[k->first]) w[i] -= l * k->second;
    Entries row;
    for (const auto& [k, entry] : w)
      if (!entry.is(0)) row.push_back({k, entry}), rows_at[k].push_back(r);
    W_.push_back(std::move(row));
  }
  neighbours_.resize(m);
  for (int r = 0; r < m; ++r) {
    for (const Entry& entry : W_[r])
      for (int s : rows_at[entry.place])
        if (r != s) neighbours_[r].push_back(s);
    std::sort(neighbours_[r].begin(), neighbours_[r].end());
    neighbours_[r].erase(std::unique(neighbours_[r].begin(), neighbours_[r].end()), neighbours_[r].end());
  }
}

// S = W D^-1 W', lower triangle in the order of elimination.
TracedSolve::Lower TracedSolve::schur_complement() const {
  const int m = static_cast<int>(W_.size());
  std::vector<int> place(m);
  for (int r = 0; r < m; ++r) place[row_order_[r]] = r;
  Lower S(m);
  for (int r = 0; r < m; ++r) {
    const int row = row_order_[r];
    Entries scaled = W_[row];
    for (Entry& entry : scaled) entry.value *= M_.inverse_D[entry.place];
    auto add = [&](int other) {
      Expression sum = 0;
      auto mine = scaled.begin();
      for (const auto& [i, w] : W_[other]) {
        while (mine != scaled.end() && mine->place < i) ++mine;
        if (mine != scaled.end() && mine->place == i) sum += mine->value * w;
      }
      S(r, place[other]) = sum;
    };
    add(row);
    for (int other : neighbours_[row])
      if (place[other] < r) add(other);
  }
  return S;
}

TracedSolve::Solution TracedSolve::solve(const List& f, const List& b) const {
  const int n = static_cast<int>(order_.size()), m = static_cast<int>(W_.size());
  List y(n, 0.0);
  for (int i = 0; i < n; ++i) y[i] = f[order_[i]];
  forward(M_, y);

  // S lambda = W D^-1 y - b
  List lambda(m, 0.0);
  for (int r = 0; r < m; ++r) {
    const int row = row_order_[r];
    lambda[r] = -b[row];
    for (const auto& [i, w] : W_[row])
      if (!y[i].is(0)) lambda[r] += w * (y[i] * M_.inverse_D[i]);
  }
  forward(S_, lambda);
  for (int r = 0; r < m; ++r) lambda[r] *= S_.inverse_D[r];
  backward(S_, lambda);

  // vdot = L^-T D^-1 (y - W lambda)
  for (int r = 0; r < m; ++r)
    for (const auto& [i, w] : W_[row_order_[r]]) y[i] -= w * lambda[r];
  for (int i = 0; i < n; ++i) y[i] *= M_.inverse_D[i];
  backward(M_, y);

  Solution solution{List(n, 0.0), List(m, 0.0)};
  for (int i = 0; i < n; ++i) solution.vdot[order_[i]] = y[i];
  for (int r = 0; r < m; ++r) solution.lambda[row_order_[r]] = lambda[r];
  return solution;
}

}  // namespace armature
