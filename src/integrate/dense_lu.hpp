// P A = L U of a dense matrix by Gaussian elimination with the largest pivot of each column, for implicit integrators.
//
// Of a large matrix this takes seconds, in which somebody may stop the run: elimination goes by panels of columns, and asks
// between the columns beside a panel. Every entry is subtracted from in the same order as without panels, so the bits are
// those of SUNDIALS's own routine; a panel stays in the cache, which makes this one several times as fast.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <vector>

namespace armature::internal {

template <class Scalar>  // double or std::complex<double>
class BasicDenseLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  enum class Result { done, singular, stopped };
  // Whether to give up, asked after so many operations (a nanosecond each).
  using GiveUp = std::function<bool(long operations)>;

  // A becomes L (below the diagonal, its own being 1) and U.
  Result factor(Eigen::Ref<Matrix> A, const GiveUp& give_up);

  // b becomes A^-1 b; LU as factor() has left it.
  void solve(const Eigen::Ref<const Matrix>& LU, Eigen::Ref<Vector> b) const;

 private:
  std::vector<Eigen::Index> pivots_;  // row k is exchanged with row pivots_[k]
  std::vector<Eigen::Index> nonzero_;
};

using DenseLu = BasicDenseLu<double>;
using ComplexDenseLu = BasicDenseLu<std::complex<double>>;

}  // namespace armature::internal
