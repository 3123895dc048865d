// The x of least norm among those with the least |A x - b|, for as many b as you like: a complete orthogonal decomposition by Householder's
// reflections,
//
//   A P = Q [T 0] Z
//           [0 0]
//
// Columns are taken in the order P of their largest remainders; one that keeps too little of the largest depends on those before it.
#pragma once

#include "step/called.hpp"
#include "step/scalar.hpp"

namespace armature::step {

class LeastNorm {
 public:
  ARMATURE_STEP static int numbers(int rows, int columns) { return rows * columns + rows + 3 * columns; }
  ARMATURE_STEP static int indices(int columns) { return columns; }
  ARMATURE_STEP LeastNorm(double* numbers, int* indices) : a_(numbers), order_(indices) {}

  ARMATURE_STEP double* room() { return a_; }  // where A may stand before factor()
  // A: row by row. threshold: of the largest pivot; a smaller one is zero.
  ARMATURE_CALLED void factor(int rows, int columns, const double* A, double threshold) {
    rows_ = rows, columns_ = columns;
    tau_ = a_ + rows * columns, tau_right_ = tau_ + columns, x_ = tau_right_ + columns, b_ = x_ + columns;
    for (int i = 0; i < rows * columns; ++i) a_[i] = A[i];
    for (int j = 0; j < columns; ++j) order_[j] = j;
    rank_ = 0;
    double largest = 0;
    for (int k = 0; k < rows && k < columns; ++k) {
      take_largest_column(k);
      reflect_column(k);
      const double pivot = absolute(at(k, k));
      largest = larger(largest, pivot);
      if (!(pivot > threshold * largest)) break;
      ++rank_;
    }
    for (int k = rank_ - 1; k >= 0 && rank_ < columns; --k) reflect_row(k);
  }
  ARMATURE_STEP int rank() const { return rank_; }

  // b and x may be one array.
  ARMATURE_CALLED void solve(const double* b, double* x) {
    // Q' b, then T from below
    for (int i = 0; i < rows_; ++i) b_[i] = b[i];
    for (int k = 0; k < rank_; ++k) {
      double along = b_[k];
      for (int i = k + 1; i < rows_; ++i) along += at(i, k) * b_[i];
      along *= tau_[k];
      b_[k] -= along;
      for (int i = k + 1; i < rows_; ++i) b_[i] -= along * at(i, k);
    }
    for (int k = rank_ - 1; k >= 0; --k) {
      double rest = b_[k];
      for (int j = k + 1; j < rank_; ++j) rest -= at(k, j) * x_[j];
      x_[k] = rest / at(k, k);
    }
    for (int j = rank_; j < columns_; ++j) x_[j] = 0;
    turn_back(x);
  }

  // The k-th of columns - rank orthonormal vectors with A x = 0.
  ARMATURE_STEP void null_vector(int k, double* x) {
    for (int j = 0; j < columns_; ++j) x_[j] = j == rank_ + k ? 1 : 0;
    turn_back(x);
  }

 private:
  ARMATURE_STEP double& at(int i, int j) { return a_[i * columns_ + j]; }
  ARMATURE_STEP double at(int i, int j) const { return a_[i * columns_ + j]; }

  ARMATURE_STEP void take_largest_column(int k) {
    int best = k;
    double most = -1;
    for (int j = k; j < columns_; ++j) {
      double square = 0;
      for (int i = k; i < rows_; ++i) square += at(i, j) * at(i, j);
      if (square > most) most = square, best = j;
    }
    if (best == k) return;
    for (int i = 0; i < rows_; ++i) {
      const double other = at(i, k);
      at(i, k) = at(i, best), at(i, best) = other;
    }
    const int other = order_[k];
    order_[k] = order_[best], order_[best] = other;
  }

  // I - tau v v' takes column k to its diagonal entry; v, with v_k = 1, stands below it.
  ARMATURE_STEP void reflect_column(int k) {
    double below = 0;
    for (int i = k + 1; i < rows_; ++i) below += at(i, k) * at(i, k);
    const double first = at(k, k);
    tau_[k] = 0;
    if (!(below > 0)) return;
    const double length = square_root(first * first + below), diagonal = first > 0 ? -length : length;
    tau_[k] = (diagonal - first) / diagonal;
    for (int i = k + 1; i < rows_; ++i) at(i, k) /= first - diagonal;
    at(k, k) = diagonal;
    for (int j = k + 1; j < columns_; ++j) {
      double along = at(k, j);
      for (int i = k + 1; i < rows_; ++i) along += at(i, k) * at(i, j);
      along *= tau_[k];
      at(k, j) -= along;
      for (int i = k + 1; i < rows_; ++i) at(i, j) -= along * at(i, k);
    }
  }

  // The same from the right, of what row k has behind T.
  ARMATURE_STEP void reflect_row(int k) {
    double behind = 0;
    for (int j = rank_; j < columns_; ++j) behind += at(k, j) * at(k, j);
    const double first = at(k, k);
    tau_right_[k] = 0;
    if (!(behind > 0)) return;
    const double length = square_root(first * first + behind), diagonal = first > 0 ? -length : length;
    tau_right_[k] = (diagonal - first) / diagonal;
    for (int j = rank_; j < columns_; ++j) at(k, j) /= first - diagonal;
    at(k, k) = diagonal;
    for (int i = 0; i < k; ++i) {
      double along = at(i, k);
      for (int j = rank_; j < columns_; ++j) along += at(k, j) * at(i, j);
      along *= tau_right_[k];
      at(i, k) -= along;
      for (int j = rank_; j < columns_; ++j) at(i, j) -= along * at(k, j);
    }
  }

  // x = P Z' x_
  ARMATURE_STEP void turn_back(double* x) {
    for (int k = 0; k < rank_ && rank_ < columns_; ++k) {
      double along = x_[k];
      for (int j = rank_; j < columns_; ++j) along += at(k, j) * x_[j];
      along *= tau_right_[k];
      x_[k] -= along;
      for (int j = rank_; j < columns_; ++j) x_[j] -= along * at(k, j);
    }
    for (int j = 0; j < columns_; ++j) x[order_[j]] = x_[j];
  }

  double *a_, *tau_ = nullptr, *tau_right_ = nullptr, *x_ = nullptr, *b_ = nullptr;
  int* order_;
  int rows_ = 0, columns_ = 0, rank_ = 0;
};

}  // namespace armature::step
