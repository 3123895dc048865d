#include "linear/sparse_cholesky.hpp"

#include <Eigen/OrderingMethods>
#include <cmath>
#include <set>

namespace armature::internal {

void SparseCholesky::analyze(const SparseMatrix& A) {
  const int n = static_cast<int>(A.rows());
  Eigen::AMDOrdering<int>::PermutationType inverse;
  Eigen::AMDOrdering<int> ordering;
  ordering(Eigen::SparseMatrix<double>(A), inverse);
  order_.assign(inverse.indices().data(), inverse.indices().data() + n);
  place_.resize(n);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;

  // the elimination tree grows from row to row; each row is reached by walking up from its entries
  parent_.assign(n, -1);
  std::vector<int> root(n, -1), seen(n, -1), counts(n, 0);
  row_start_.assign(1, 0), column_.clear();
  for (int k = 0; k < n; ++k) {
    seen[k] = k;
    for (SparseMatrix::InnerIterator entry(A, order_[k]); entry; ++entry)
      for (int i = place_[entry.col()]; i < k && i >= 0;) {
        const int up = root[i];
        root[i] = k;
        if (up < 0) parent_[i] = k;
        i = up;
      }
    for (SparseMatrix::InnerIterator entry(A, order_[k]); entry; ++entry)
      for (int i = place_[entry.col()]; i < k && i >= 0 && seen[i] != k; i = parent_[i])
        seen[i] = k, column_.push_back(i), ++counts[i];
    std::sort(column_.begin() + row_start_.back(), column_.end());
    row_start_.push_back(static_cast<int>(column_.size()));
  }
  start_.assign(n + 1, 0);
  for (int k = 0; k < n; ++k) start_[k + 1] = start_[k] + counts[k];
  row_.assign(start_[n], 0), value_.assign(start_[n], 0), filled_.assign(n, 0);
  diagonal_.assign(n, 0), work_.assign(n, 0);
}

// Up-looking: row k of L solves  L(0..k, 0..k) l' = A(0..k, k).
bool SparseCholesky::factor(const SparseMatrix& A) {
  const int n = size();
  std::copy(start_.begin(), start_.end() - 1, filled_.begin());
  for (int k = 0; k < n; ++k) {
    double pivot = 0;
    for (SparseMatrix::InnerIterator entry(A, order_[k]); entry; ++entry) {
      const int i = place_[entry.col()];
      if (i < k) work_[i] = entry.value();
      if (i == k) pivot = entry.value();
    }
    for (int p = row_start_[k]; p < row_start_[k + 1]; ++p) {
      const int i = column_[p];
      const double l = work_[i] / diagonal_[i];
      work_[i] = 0;
      for (int r = start_[i]; r < filled_[i]; ++r) work_[row_[r]] -= value_[r] * l;
      pivot -= l * l;
      row_[filled_[i]] = k, value_[filled_[i]++] = l;
    }
    work_[k] = 0;
    if (!(pivot > 0) || !std::isfinite(pivot)) return std::fill(work_.begin(), work_.end(), 0.0), false;
    diagonal_[k] = std::sqrt(pivot);
  }
  return true;
}

void SparseCholesky::solve_L(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (int k = 0; k < size(); ++k) y[k] = x[order_[k]];
  for (int k = 0; k < size(); ++k) {
    y[k] /= diagonal_[k];
    for (int p = start_[k]; p < start_[k + 1]; ++p) y[row_[p]] -= value_[p] * y[k];
  }
}

void SparseCholesky::solve_Lt(Eigen::VectorXd& y, Eigen::VectorXd& x) const {
  for (int k = size() - 1; k >= 0; --k) {
    for (int p = start_[k]; p < start_[k + 1]; ++p) y[k] -= value_[p] * y[row_[p]];
    y[k] /= diagonal_[k];
  }
  for (int k = 0; k < size(); ++k) x[order_[k]] = y[k];
}

void SparseCholesky::multiply_Lt(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
  for (int k = 0; k < size(); ++k) {
    y[k] = diagonal_[k] * x[order_[k]];
    for (int p = start_[k]; p < start_[k + 1]; ++p) y[k] += value_[p] * x[order_[row_[p]]];
  }
}

void SparseCholesky::close(std::vector<int>& places) const {
  std::set<int> reached;
  for (int place : places)
    for (int i = place; i >= 0 && reached.insert(i).second;) i = parent_[i];
  places.assign(reached.begin(), reached.end());
}

void SparseCholesky::solve_L_at(const int* places, int count, double* x) const {
  for (int i = 0; i < count; ++i) {
    const int k = places[i];
    x[k] /= diagonal_[k];
    for (int p = start_[k]; p < start_[k + 1]; ++p) x[row_[p]] -= value_[p] * x[k];
  }
}

}  // namespace armature::internal
