// Minimum degree: eliminating a velocity joins all its neighbors, so the one with the fewest goes next.
#include <set>

#include "lagrangian/lagrangian.hpp"

namespace armature::internal {

std::vector<int> fill_reducing_order(const ExpressionMatrix& M) {
  const int nv = M.rows();
  std::vector<std::set<int>> neighbors(nv);
  for (int i = 0; i < nv; ++i)
    for (const auto& entry : M.row(i))
      if (i != entry.column) neighbors[i].insert(entry.column);
  std::vector<int> order;
  std::set<int> left;
  for (int i = 0; i < nv; ++i) left.insert(i);
  while (!left.empty()) {
    int next = *left.begin();
    for (int i : left)
      if (neighbors[i].size() < neighbors[next].size()) next = i;
    for (int i : neighbors[next]) {
      neighbors[i].insert(neighbors[next].begin(), neighbors[next].end());
      neighbors[i].erase(i);
      neighbors[i].erase(next);
    }
    left.erase(next);
    order.push_back(next);
  }
  return order;
}

}  // namespace armature::internal
