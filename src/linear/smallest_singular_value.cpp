#include "linear/smallest_singular_value.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr double enough = 1e-6;  // (s/|A|)^2 above which s has ten digits
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int most_steps = 6;

// y -= factor x, of the entries from `first` to n. (Small matrices: Eigen's expressions would take longer.)
void subtract(double factor, const double* x, double* y, Eigen::Index first, Eigen::Index n) {
  for (Eigen::Index i = first; i < n; ++i) y[i] -= factor * x[i];
}

}  // namespace

void SmallestSingularValue::resize(int rows, int columns) {
  wide_ = columns > rows;
  const int n = std::min(rows, columns), other = std::max(rows, columns);
  dense_.setZero(other, n);
  G_.setZero(n, n), L_.setZero(n, n);
  D_.setZero(n), Gv_.setZero(n), row_.setZero(columns);
  v_.setConstant(n, 1 / std::sqrt(n));
  squares_.resize(n);
  all_.resize(other, n);
}

void SmallestSingularValue::square(const SparseMatrix& A) {
  const double* value = A.valuePtr();
  const int *column = A.innerIndexPtr(), *start = A.outerIndexPtr();
  if (!wide_) G_.setZero();
  for (int i = 0; i < A.rows(); ++i) {
    if (!wide_) {
      for (int p = start[i]; p < start[i + 1]; ++p)
        for (int r = start[i]; r < start[i + 1]; ++r) G_(column[r], column[p]) += value[r] * value[p];
      continue;
    }
    for (int p = start[i]; p < start[i + 1]; ++p) row_[column[p]] = value[p];
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int p = start[j]; p < start[j + 1]; ++p) sum += value[p] * row_[column[p]];
      G_(i, j) = G_(j, i) = sum;
    }
    for (int p = start[i]; p < start[i + 1]; ++p) row_[column[p]] = 0;
  }
}

// Zeros are skipped: rows of loops that lie far from each other have nothing in common.
bool SmallestSingularValue::factor(double shift) {
  const Eigen::Index n = G_.rows();
  const double least = eps * G_.trace();  // in place of a pivot that vanishes
  bool positive = true;
  L_ = G_;
  for (Eigen::Index j = 0; j < n; ++j) L_(j, j) -= shift;
  for (Eigen::Index j = 0; j < n; ++j) {
    double* column = L_.data() + j * n;
    positive = positive && column[j] > 0;
    D_[j] = std::abs(column[j]) > least ? column[j] : std::copysign(least, column[j]);
    for (Eigen::Index i = j + 1; i < n; ++i)
      if (column[i] != 0) subtract(column[i] / D_[j], column, L_.data() + i * n, i, n);
    const double inverse = 1 / D_[j];
    for (Eigen::Index i = j + 1; i < n; ++i) column[i] *= inverse;
  }
  return positive;
}

void SmallestSingularValue::improve(double shift) {
  factor(shift);
  const Eigen::Index n = G_.rows();
  for (Eigen::Index j = 0; j < n; ++j) subtract(v_[j], L_.data() + j * n, v_.data(), j + 1, n);
  for (Eigen::Index j = n - 1; j >= 0; --j) {
    double sum = v_[j] / D_[j];
    for (Eigen::Index i = j + 1; i < n; ++i) sum -= L_(i, j) * v_[i];
    v_[j] = sum;
  }
  v_ /= v_.norm();
}

double SmallestSingularValue::quotient() {
  const Eigen::Index n = G_.rows();
  Gv_.setZero();
  for (Eigen::Index j = 0; j < n; ++j) subtract(-v_[j], G_.data() + j * n, Gv_.data(), 0, n);
  return v_.dot(Gv_);
}

double SmallestSingularValue::followed() {
  const double round_off = 4 * eps * static_cast<double>(G_.rows()) * G_.trace();
  for (int step = 0; step <= most_steps; ++step) {
    const double value = quotient();
    if (!std::isfinite(value)) break;
    Gv_ -= value * v_;
    if (Gv_.norm() <= round_off) return factor(value - round_off) ? value : unknown;
    improve(value);
  }
  return unknown;
}

double SmallestSingularValue::decomposed() {
  const double value = squares_.compute(G_) ? squares_.values()[0] : unknown;
  v_.setOnes();
  improve(value);  // to be followed from here
  if (!v_.allFinite()) v_.setOnes();
  return value;
}

double SmallestSingularValue::operator()(const SparseMatrix& A) {
  square(A);
  const double least = enough * G_.trace();
  double value = followed();
  if (std::isnan(value)) value = decomposed();
  if (value > least) return std::sqrt(value);
  if (wide_)
    dense_ = A.transpose();
  else
    dense_ = A;
  all_.compute(dense_);
  return all_.values()[dense_.cols() - 1];
}

}  // namespace armature::internal
