#include "simulate/inertia.hpp"

#include <cmath>

namespace armature {

int velocity_without_inertia(const Eigen::MatrixXd& M, const std::vector<int>& elimination_order) {
  if (!M.allFinite()) return -1;
  Eigen::MatrixXd rest = M;
  const int n = static_cast<int>(M.rows());
  for (int i = 0; i < n; ++i) {
    const int k = elimination_order[i];
    if (!(rest(k, k) > 1e-14 * M.cwiseAbs().row(k).maxCoeff()) || !(rest(k, k) > 0)) return k;
    for (int r = i + 1; r < n; ++r)
      for (int c = i + 1; c < n; ++c) {
        const int a = elimination_order[r], b = elimination_order[c];
        rest(a, b) -= rest(a, k) * rest(k, b) / rest(k, k);
      }
  }
  return -1;
}

}  // namespace armature
