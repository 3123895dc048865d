#include "linear/triangular_factor.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

// Column k is reflected onto its diagonal entry: H = 1 - 2 u u'/u'u with u = x + sign(x_1) |x| e_1.
void triangularize(Eigen::MatrixXd& A, Eigen::Index columns) {
  const Eigen::Index rows = A.rows(), count = std::min(columns, rows);
  Eigen::VectorXd u(rows);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index below = rows - k;
    const double length = A.col(k).tail(below).norm();
    if (!(length > 0)) continue;
    u.head(below) = A.col(k).tail(below);
    u[0] += std::copysign(length, u[0]);
    const double half_square = u.head(below).squaredNorm() / 2;
    for (Eigen::Index j = k + 1; j < A.cols(); ++j)
      A.col(j).tail(below) -= u.head(below).dot(A.col(j).tail(below)) / half_square * u.head(below);
    A(k, k) = -std::copysign(length, A(k, k));
    A.col(k).tail(below - 1).setZero();
  }
}

}  // namespace armature::internal
