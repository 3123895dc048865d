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

// Arithmetic on numbers of all right sides, one of each: what is done to one of them is done to all. Signs and zeros, which
// the graph would take out of one and not of another, stay operations where the first right side has one in their place.
class TracedSolve::Together {
 public:
  using Numbers = std::vector<Expression>;  // one a right side

  explicit Together(std::vector<Pack>& packs) : packs_(packs) {}

  Numbers times(Expression factor, Numbers x) {
    for (Expression& number : x) number = factor * number;
    return noted(std::move(x));
  }
  Numbers minus(const Numbers& x, Numbers y) {
    for (std::size_t k = 0; k < x.size(); ++k)
      y[k] = x[k].is(0) && !x[0].is(0) && !y[k].is_constant() ? zero_minus(y[k], is_negative(x[0])) : x[k] - y[k];
    return noted(std::move(y));
  }
  static void make_alike(Numbers& x) {
    for (Expression& number : x) {
      if (number.is_constant() || is_negative(number) == is_negative(x[0])) continue;
      Graph& graph = *number.graph();
      const bool negative = is_negative(number);
      number = graph.make(Op::sub, graph.id_of(0.0), negative ? number.node().a : number.id());
      if (!negative) number = graph.make(Op::neg, number.id());
    }
  }
  static bool is_zero(const Numbers& x) {
    return std::all_of(x.begin(), x.end(), [](const Expression& number) { return number.is(0); });
  }

  void forward(const Factor& factor, std::vector<Numbers>& x) {  // x = L^-1 x
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (is_zero(x[k])) continue;
      for (const auto& [i, l] : factor.L[k]) x[i] = minus(x[i], times(l, x[k]));
    }
  }
  void backward(const Factor& factor, std::vector<Numbers>& x) {  // x = L^-T x
    for (std::size_t k = x.size(); k-- > 0;)
      for (const auto& [i, l] : factor.L[k]) x[k] = minus(x[k], times(l, x[i]));
  }

 private:
  static bool is_negative(Expression x) { return !x.is_constant() && x.node().op == Op::neg; }
  // 0 - y as the graph writes x - y, for an x that may be -(…)
  static Expression zero_minus(Expression y, bool like_negative) {
    Graph& graph = *y.graph();
    const std::int32_t zero = graph.id_of(0.0), part = is_negative(y) ? y.node().a : y.id();
    if (!like_negative) return graph.make(is_negative(y) ? Op::add : Op::sub, zero, part);
    return is_negative(y) ? graph.make(Op::sub, part, zero) : -graph.make(Op::add, zero, part);
  }
  Numbers noted(Numbers x) {
    if (x.size() != pack_width) return x;
    Pack pack;
    for (int k = 0; k < pack_width; ++k) pack[k] = is_negative(x[k]) ? Expression(x[k].graph(), x[k].node().a) : x[k];
    packs_.push_back(pack);
    return x;
  }

  std::vector<Pack>& packs_;
};

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

TracedSolve::Solution TracedSolve::solve(const RightSide& side) const {
  std::vector<Pack> none;
  return solve_together({side}, none).front();
}

std::vector<TracedSolve::Solution> TracedSolve::solve(const std::vector<RightSide>& sides,
                                                      std::vector<Pack>& packs) const {
  constexpr std::size_t few = 10;  // numbers of a side; to gather so few into packs would take longer than it saves
  if (order_.size() + W_.size() >= few) return solve_together(sides, packs);
  std::vector<Solution> solutions;
  for (const RightSide& side : sides) solutions.push_back(solve(side));
  return solutions;
}

std::vector<TracedSolve::Solution> TracedSolve::solve_together(const std::vector<RightSide>& sides,
                                                               std::vector<Pack>& packs) const {
  const int n = static_cast<int>(order_.size()), m = static_cast<int>(W_.size());
  const Together::Numbers zeros(sides.size(), 0.0);
  Together together(packs);
  std::vector<Together::Numbers> y(n, zeros), lambda(m, zeros);
  for (int i = 0; i < n; ++i)
    for (std::size_t k = 0; k < sides.size(); ++k) y[i][k] = sides[k].f[order_[i]];
  together.forward(M_, y);

  // S lambda = W D^-1 y - b
  for (int r = 0; r < m; ++r)
    for (std::size_t k = 0; k < sides.size(); ++k) {
      lambda[r][k] = -sides[k].b[row_order_[r]];
      for (const auto& [i, w] : W_[row_order_[r]])
        if (!y[i][k].is(0)) lambda[r][k] += w * (y[i][k] * M_.inverse_D[i]);
    }
  for (auto& numbers : lambda) together.make_alike(numbers);
  together.forward(S_, lambda);
  for (int r = 0; r < m; ++r) lambda[r] = together.times(S_.inverse_D[r], lambda[r]);
  together.backward(S_, lambda);

  // vdot = L^-T D^-1 (y - W lambda)
  for (int r = 0; r < m; ++r)
    for (const auto& [i, w] : W_[row_order_[r]]) y[i] = together.minus(y[i], together.times(w, lambda[r]));
  for (int i = 0; i < n; ++i) y[i] = together.times(M_.inverse_D[i], y[i]);
  together.backward(M_, y);

  std::vector<Solution> solutions(sides.size(), {List(n, 0.0), List(m, 0.0)});
  for (std::size_t k = 0; k < sides.size(); ++k) {
    for (int i = 0; i < n; ++i) solutions[k].vdot[order_[i]] = y[i][k];
    for (int r = 0; r < m; ++r) solutions[k].lambda[row_order_[r]] = lambda[r][k];
  }
  return solutions;
}

}  // namespace armature
