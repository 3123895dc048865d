#include "system/symmetric_factor.hpp"

#include <set>

namespace armature::internal {

std::vector<int> least_degree_order(const std::vector<std::vector<int>>& pattern) {
  const int n = static_cast<int>(pattern.size());
  std::vector<std::set<int>> neighbors(n);
  std::set<std::pair<std::size_t, int>> left;  // {degree, row}
  for (int i = 0; i < n; ++i) {
    neighbors[i].insert(pattern[i].begin(), pattern[i].end());
    left.insert({neighbors[i].size(), i});
  }
  std::vector<int> order;
  // the row with fewest neighbors goes; those then see one another
  while (!left.empty()) {
    const int best = left.begin()->second;
    left.erase(left.begin());
    order.push_back(best);
    for (int i : neighbors[best]) {
      left.erase({neighbors[i].size(), i});
      neighbors[i].erase(best);
      for (int j : neighbors[best])
        if (i != j) neighbors[i].insert(j);
      left.insert({neighbors[i].size(), i});
    }
  }
  return order;
}

// Right-looking: each pivot updates the entries behind it that it touches, and no others.
SymmetricFactor::SymmetricFactor(LowerTriangle A) {
  const int n = static_cast<int>(A.columns.size());
  for (int k = 0; k < n; ++k) {
    D.push_back(A(k, k));
    inverse_D.push_back(1.0 / A(k, k));
    // the column below the pivot
    Entries column;
    for (const auto& [i, entry] : A.columns[k])
      if (i > k && !entry.is(0)) column.push_back({i, entry});
    // what lies behind it loses its product
    for (const auto& [i, entry] : column) {
      const Expression l = entry * inverse_D[k];
      for (const auto& [j, other] : column)
        if (j <= i) A(i, j) -= l * other;
    }
    for (Entry& entry : column) entry.value *= inverse_D[k];
    L.push_back(std::move(column));
    A.columns[k].clear();
  }
}

void SymmetricFactor::forward(RightSides& sides, std::vector<RightSides::Number>& x) const {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (RightSides::is_zero(x[k])) continue;
    for (const auto& [i, l] : L[k]) x[i] = sides.minus(x[i], sides.times(l, x[k]));
  }
}

void SymmetricFactor::backward(RightSides& sides, std::vector<RightSides::Number>& x) const {
  for (std::size_t k = x.size(); k-- > 0;)
    for (const auto& [i, l] : L[k]) x[k] = sides.minus(x[k], sides.times(l, x[i]));
}

}  // namespace armature::internal
