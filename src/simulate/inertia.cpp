#include "simulate/inertia.hpp"

#include <cmath>
#include <map>

namespace armature {

// Right-looking, by the entries that are there: each pivot updates the rows it touches.
int velocity_without_inertia(const SparseMatrix& M, const std::vector<int>& elimination_order) {
  if (!all_finite(M)) return -1;
  std::vector<std::map<int, double>> rest(M.rows());
  for (int i = 0; i < M.rows(); ++i)
    for (SparseMatrix::InnerIterator entry(M, i); entry; ++entry)
      rest[i][static_cast<int>(entry.col())] = entry.value();
  for (int k : elimination_order) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(M, k); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
    const double pivot = rest[k][k];
    if (!(pivot > 1e-14 * largest) || !(pivot > 0)) return k;
    rest[k].erase(k);
    for (const auto& [a, entry] : rest[k]) {
      for (const auto& [b, other] : rest[k]) rest[a][b] -= entry * other / pivot;
      rest[a].erase(k);
    }
  }
  return -1;
}

}  // namespace armature
