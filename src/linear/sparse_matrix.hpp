// Matrices stored by their entries that are not zero by structure, row by row. Entries that happen to be zero count as
// entries: the pattern belongs to the mechanism, not to the pose.
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>
#include <vector>

namespace armature::internal {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

inline bool same_pattern(const SparseMatrix& A, const SparseMatrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && A.nonZeros() == B.nonZeros() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.rows() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr());
}

inline bool all_finite(const SparseMatrix& A) { return A.coeffs().allFinite(); }

// Rows of matrices with as many columns, one under the other, each times a factor. clear() keeps the memory.
class StackedRows {
 public:
  explicit StackedRows(int columns = 0) : columns_(columns) {}
  void clear(int columns) { columns_ = columns, starts_.resize(1), inner_.clear(), values_.clear(); }
  void add(const SparseMatrix& A, int row, double factor = 1) {
    for (SparseMatrix::InnerIterator entry(A, row); entry; ++entry)
      inner_.push_back(static_cast<int>(entry.col())), values_.push_back(factor * entry.value());
    end_row();
  }
  void add(const SparseMatrix& A, int first, const Eigen::VectorXd& factors) {  // row first + i times factors[i]
    for (int i = 0; i < factors.size(); ++i) add(A, first + i, factors[i]);
  }
  void add_unit(int column) { inner_.push_back(column), values_.push_back(1), end_row(); }
  void copy_to(SparseMatrix& A) const {
    const auto entries = static_cast<Eigen::Index>(values_.size());
    A.resize(static_cast<Eigen::Index>(starts_.size()) - 1, columns_);
    A.resizeNonZeros(entries);
    std::copy(starts_.begin(), starts_.end(), A.outerIndexPtr());
    std::copy(inner_.begin(), inner_.end(), A.innerIndexPtr());
    std::copy(values_.begin(), values_.end(), A.valuePtr());
  }
  SparseMatrix matrix() const {
    SparseMatrix A;
    copy_to(A);
    return A;
  }

 private:
  void end_row() { starts_.push_back(static_cast<int>(values_.size())); }

  int columns_;
  std::vector<int> starts_{0}, inner_;
  std::vector<double> values_;
};

}  // namespace armature::internal
