#include "system/composite_solve.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

}

CompositeSolve::CompositeSolve(const ExpressionMatrix& M, const std::vector<int>& order, const ExpressionMatrix& Phi,
                               const std::vector<int>& groups, const List& extents)
    : order_(order) {
  const int n = static_cast<int>(order.size()), m = Phi.rows();
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[order[i]] = i;
  // M = L D L' with the leaves of the tree first
  LowerTriangle permuted(n);
  for (int i = 0; i < n; ++i)
    for (const auto& [column, entry] : M.row(order[i]))
      if (place[column] <= i) permuted(i, place[column]) = entry;
  M_ = SymmetricFactor(std::move(permuted));

  // S = W D^-1 W' with W = L^-1 Phi', in an order of little fill
  take_rows(Phi);
  row_order_ = least_degree_order(neighbors_);
  LowerTriangle S = schur_complement();
  List diagonal;
  for (int r = 0; r < m; ++r) diagonal.push_back(S(r, r));
  scales_ = row_scales(row_order_, diagonal, groups, extents);
  S_ = SymmetricFactor(std::move(S));
  mass_pivots_ = M_.D, pivots_ = S_.D;
}

// W = L^-1 Phi', and which rows meet.
void CompositeSolve::take_rows(const ExpressionMatrix& Phi) {
  const int n = static_cast<int>(order_.size()), m = Phi.rows();
  std::vector<int> place(n);
  for (int i = 0; i < n; ++i) place[order_[i]] = i;
  std::vector<std::vector<int>> rows_at(n);
  for (int r = 0; r < m; ++r) {
    // one row of Phi through L^-1; what is not zero of it
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
  // two rows meet where they share an entry of W
  neighbors_.resize(m);
  for (int r = 0; r < m; ++r) {
    for (const auto& entry : W_[r])
      for (int s : rows_at[entry.place])
        if (r != s) neighbors_[r].push_back(s);
    std::sort(neighbors_[r].begin(), neighbors_[r].end());
    neighbors_[r].erase(std::unique(neighbors_[r].begin(), neighbors_[r].end()), neighbors_[r].end());
  }
}

// S = W D^-1 W', lower triangle in the order of elimination.
LowerTriangle CompositeSolve::schur_complement() const {
  const int m = static_cast<int>(W_.size());
  std::vector<int> place(m);
  for (int r = 0; r < m; ++r) place[row_order_[r]] = r;
  LowerTriangle S(m);
  for (int r = 0; r < m; ++r) {
    const int row = row_order_[r];
    Entries scaled = W_[row];
    for (auto& entry : scaled) entry.value *= M_.inverse_D[entry.place];
    // product of two sparse rows, whose places ascend
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
    for (int other : neighbors_[row])
      if (place[other] < r) add(other);
  }
  return S;
}

std::vector<TracedSolve::Solution> CompositeSolve::solve_together(const std::vector<RightSide>& sides,
                                                                  std::vector<Pack>& packs) const {
  const int n = static_cast<int>(order_.size()), m = static_cast<int>(W_.size());
  RightSides together(sides.size(), packs);
  std::vector<RightSides::Number> y(n, together.zero()), lambda(m, together.zero());
  // y = L^-1 f
  for (int i = 0; i < n; ++i)
    for (std::size_t k = 0; k < sides.size(); ++k) y[i][k] = sides[k].f[order_[i]];
  M_.forward(together, y);

  // S lambda = W D^-1 y - b
  for (int r = 0; r < m; ++r)
    for (std::size_t k = 0; k < sides.size(); ++k) {
      lambda[r][k] = -sides[k].b[row_order_[r]];
      for (const auto& [i, w] : W_[row_order_[r]])
        if (!y[i][k].is(0)) lambda[r][k] += w * (y[i][k] * M_.inverse_D[i]);
    }
  for (auto& numbers : lambda) together.make_alike(numbers);
  S_.forward(together, lambda);
  for (int r = 0; r < m; ++r) lambda[r] = together.times(S_.inverse_D[r], lambda[r]);
  S_.backward(together, lambda);

  // vdot = L^-T D^-1 (y - W lambda)
  for (int r = 0; r < m; ++r)
    for (const auto& [i, w] : W_[row_order_[r]]) y[i] = together.minus(y[i], together.times(w, lambda[r]));
  for (int i = 0; i < n; ++i) y[i] = together.times(M_.inverse_D[i], y[i]);
  M_.backward(together, y);

  std::vector<Solution> solutions(sides.size(), {List(n, 0.0), List(m, 0.0)});
  for (std::size_t k = 0; k < sides.size(); ++k) {
    for (int i = 0; i < n; ++i) solutions[k].vdot[order_[i]] = y[i][k];
    for (int r = 0; r < m; ++r) solutions[k].lambda[row_order_[r]] = lambda[r][k];
  }
  return solutions;
}

}  // namespace armature::internal
