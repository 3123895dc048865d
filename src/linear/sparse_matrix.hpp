// Matrices stored by their entries that are not zero by structure, row by row. Entries that happen to be zero count as
// entries: the pattern belongs to the mechanism, not to the pose.
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>

namespace armature {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

inline bool same_pattern(const SparseMatrix& A, const SparseMatrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && A.nonZeros() == B.nonZeros() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.rows() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr());
}

inline bool all_finite(const SparseMatrix& A) { return A.coeffs().allFinite(); }
inline double largest_entry(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().cwiseAbs().maxCoeff() : 0; }

}  // namespace armature
