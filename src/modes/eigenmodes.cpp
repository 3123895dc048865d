#include "modes/eigenmodes.hpp"

#include <algorithm>
#include <cmath>

#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Scales d, powers of 2, with which rows and columns of D^-1 A D are of one size (Osborne, J. ACM 7, 1960): fast and slow
// motions then keep their digits.
VectorXd balance(MatrixXd& A) {
  const Eigen::Index n = A.rows();
  VectorXd d = VectorXd::Ones(n);
  for (int pass = 0; pass < 20; ++pass)
    for (Eigen::Index i = 0; i < n; ++i) {
      const double row = A.row(i).cwiseAbs().sum() - std::abs(A(i, i));
      const double column = A.col(i).cwiseAbs().sum() - std::abs(A(i, i));
      if (!(row > 0) || !(column > 0)) continue;
      const double scale = std::exp2(std::round(0.5 * std::log2(row / column)));
      A.row(i) /= scale, A.col(i) *= scale;
      d[i] *= scale;
    }
  return d;
}

void normalize(Eigen::VectorXcd& shape, int positions) {
  constexpr double no_motion = 1e-12;  // of the largest entry: the mode moves no position
  Eigen::Index largest = 0;
  if (positions > 0 && shape.head(positions).cwiseAbs().maxCoeff(&largest) > no_motion * shape.cwiseAbs().maxCoeff()) {
    shape /= std::complex<double>(shape[largest]);
    return;
  }
  shape.cwiseAbs().maxCoeff(&largest);
  shape /= std::complex<double>(shape[largest]);
}

}  // namespace

std::vector<Eigenmode> eigenmodes(const Linearization& linear, int positions) {
  std::vector<Eigenmode> modes;
  if (linear.A.rows() == 0) return modes;
  // Balanced, so that states of different units do not spoil the eigenvalues.
  MatrixXd A = linear.A;
  const VectorXd scale = balance(A);
  const Eigenpairs pairs = eigenpairs(A);
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const std::complex<double> s = pairs.values[k];
    // Of a pair of conjugate eigenvalues the one with a positive frequency; its shape in the balanced and then in all
    // states.
    if (s.imag() < 0) continue;
    Eigen::VectorXcd xi = pairs.vectors.col(k);
    xi.array() *= scale.array();
    Eigenmode mode{s, linear.T * xi};
    normalize(mode.shape, positions);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Eigenmode& a, const Eigenmode& b) {
    return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
  return modes;
}

}  // namespace armature::internal
