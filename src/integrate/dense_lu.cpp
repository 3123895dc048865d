#include "integrate/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace armature::internal {
namespace {

using Index = Eigen::Index;
using Matrix = Eigen::Ref<Eigen::MatrixXd>;

constexpr Index panel_width = 48;  // a panel of a thousand rows fits into the second cache

Index largest_below(const double* column, Index k, Index n) {
  Index largest = k;
  for (Index i = k + 1; i < n; ++i)
    if (std::abs(column[i]) > std::abs(column[largest])) largest = i;
  return largest;
}

// column[i] -= factor * l[i] below row k.
void subtract(double* column, double factor, const double* l, Index k, Index n) {
  if (factor == 0) return;
  for (Index i = k + 1; i < n; ++i) column[i] -= factor * l[i];
}

// False: a pivot is zero.
bool eliminate_panel(Matrix& A, Index begin, Index end, std::vector<Index>& pivots) {
  const Index n = A.rows();
  for (Index k = begin; k < end; ++k) {
    double* l = A.col(k).data();
    pivots[k] = largest_below(l, k, n);
    if (l[pivots[k]] == 0) return false;
    if (pivots[k] != k)
      for (Index j = begin; j < end; ++j) std::swap(A(k, j), A(pivots[k], j));
    const double inverse = 1 / l[k];
    for (Index i = k + 1; i < n; ++i) l[i] *= inverse;
    for (Index j = k + 1; j < end; ++j) subtract(A.col(j).data(), A(k, j), l, k, n);
  }
  return true;
}

void exchange_rows(double* column, Index begin, Index end, const std::vector<Index>& pivots) {
  for (Index k = begin; k < end; ++k)
    if (pivots[k] != k) std::swap(column[k], column[pivots[k]]);
}

// What a panel takes off a column beside it. Below the panel four columns of L are subtracted at a time, one after the other
// as far as rounding goes.
void eliminate_column(const Matrix& A, double* column, Index begin, Index end, std::vector<Index>& nonzero) {
  const Index n = A.rows();
  nonzero.clear();
  for (Index k = begin; k < end; ++k) {
    if (column[k] == 0) continue;
    nonzero.push_back(k);
    subtract(column, column[k], A.col(k).data(), k, end);
  }
  std::size_t at = 0;
  for (; at + 4 <= nonzero.size(); at += 4) {
    const double *l0 = A.col(nonzero[at]).data(), *l1 = A.col(nonzero[at + 1]).data(),
                 *l2 = A.col(nonzero[at + 2]).data(), *l3 = A.col(nonzero[at + 3]).data();
    const double u0 = column[nonzero[at]], u1 = column[nonzero[at + 1]], u2 = column[nonzero[at + 2]],
                 u3 = column[nonzero[at + 3]];
    for (Index i = end; i < n; ++i) column[i] = (((column[i] - u0 * l0[i]) - u1 * l1[i]) - u2 * l2[i]) - u3 * l3[i];
  }
  for (; at < nonzero.size(); ++at) subtract(column, column[nonzero[at]], A.col(nonzero[at]).data(), end - 1, n);
}

}  // namespace

DenseLu::Result DenseLu::factor(Eigen::Ref<Eigen::MatrixXd> A, const GiveUp& give_up) {
  const Index n = A.rows();
  pivots_.resize(n);
  nonzero_.reserve(panel_width);
  for (Index begin = 0; begin < n; begin += panel_width) {
    const Index end = std::min(begin + panel_width, n), height = n - begin;
    if (give_up(height * (end - begin))) return Result::stopped;
    if (!eliminate_panel(A, begin, end, pivots_)) return Result::singular;
    for (Index j = 0; j < begin; ++j) exchange_rows(A.col(j).data(), begin, end, pivots_);
    for (Index j = end; j < n; ++j) {
      exchange_rows(A.col(j).data(), begin, end, pivots_);
      eliminate_column(A, A.col(j).data(), begin, end, nonzero_);
      if (give_up(height * static_cast<Index>(nonzero_.size()))) return Result::stopped;
    }
  }
  return Result::done;
}

void DenseLu::solve(const Eigen::Ref<const Eigen::MatrixXd>& LU, Eigen::Ref<Eigen::VectorXd> b) const {
  const Index n = b.size();
  exchange_rows(b.data(), 0, n, pivots_);
  for (Index k = 0; k < n; ++k) b.tail(n - k - 1) -= b[k] * LU.col(k).tail(n - k - 1);
  for (Index k = n - 1; k >= 0; --k) {
    b[k] /= LU(k, k);
    b.head(k) -= b[k] * LU.col(k).head(k);
  }
}

}  // namespace armature::internal
