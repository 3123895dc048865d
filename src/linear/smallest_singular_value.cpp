#include "linear/smallest_singular_value.hpp"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

constexpr double enough = 1e-6;  // (s/|A|)^2 above which s has ten digits

}  // namespace

void SmallestSingularValue::resize(int rows, int columns) {
  wide_ = columns > rows;
  const int n = std::min(rows, columns), other = std::max(rows, columns);
  dense_.setZero(other, n);
  product_.setZero(n, n);
  squares_.compute(Eigen::MatrixXd::Identity(n, n), Eigen::EigenvaluesOnly);
  all_.resize(other, n);
}

double SmallestSingularValue::operator()(const SparseMatrix& A) {
  if (wide_)
    dense_ = A.transpose();
  else
    dense_ = A;
  product_.noalias() = dense_.transpose() * dense_;
  squares_.compute(product_, Eigen::EigenvaluesOnly);
  const auto& squares = squares_.eigenvalues();  // ascending
  if (squares_.info() == Eigen::Success && squares[0] > enough * squares[squares.size() - 1])
    return std::sqrt(squares[0]);
  all_.compute(dense_);
  return all_.values()[dense_.cols() - 1];
}

}  // namespace armature
