// Matrices stored by their entries that are not zero by structure, row by row. Entries that happen to be zero count as
// entries: the pattern belongs to the mechanism, not to the pose.
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>
#include <vector>

namespace armature {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

inline bool same_pattern(const SparseMatrix& A, const SparseMatrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && A.nonZeros() == B.nonZeros() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.rows() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr());
}

inline bool all_finite(const SparseMatrix& A) { return A.coeffs().allFinite(); }
inline double largest_entry(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().cwiseAbs().maxCoeff() : 0; }

inline double largest_row_sum(const SparseMatrix& A) {  // of |A_ij|
  double largest = 0;
  for (int i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (SparseMatrix::InnerIterator entry(A, i); entry; ++entry) sum += std::abs(entry.value());
    largest = std::max(largest, sum);
  }
  return largest;
}

// Rows of matrices with as many columns, one under the other.
class StackedRows {
 public:
  explicit StackedRows(int columns) : columns_(columns) {}
  void add(const SparseMatrix& A, int row) {
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry)
      entries_.emplace_back(rows_, static_cast<int>(entry.col()), entry.value());
    ++rows_;
  }
  void add(const SparseMatrix& A, int first, int count) {
    for (int i = first; i < first + count; ++i) add(A, i);
  }
  void add_unit(int column) { entries_.emplace_back(rows_++, column, 1.0); }
  SparseMatrix matrix() const {
    SparseMatrix A(rows_, columns_);
    A.setFromTriplets(entries_.begin(), entries_.end());
    return A;
  }

 private:
  int rows_ = 0, columns_;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace armature
