#include "integrate/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace armature::internal {
namespace {

using Index = Eigen::Index;
using Complex = std::complex<double>;
template <class Scalar>
using MatrixRef = Eigen::Ref<typename BasicDenseLu<Scalar>::Matrix>;

double size_of(double x) { return std::abs(x); }
double size_of(const Complex& x) { return std::abs(x.real()) + std::abs(x.imag()); }

// Without the search for infinities of std::complex's own product.
double times(double a, double b) { return a * b; }
Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

constexpr Index panel_width = 48;  // a panel of a thousand rows fits into the second cache

template <class Scalar>
Index largest_below(const Scalar* column, Index k, Index n) {
  Index largest = k;
  for (Index i = k + 1; i < n; ++i)
    if (size_of(column[i]) > size_of(column[largest])) largest = i;
  return largest;
}

// column[i] -= factor * l[i] below row k.
template <class Scalar>
void subtract(Scalar* column, Scalar factor, const Scalar* l, Index k, Index n) {
  if (factor == Scalar(0)) return;
  for (Index i = k + 1; i < n; ++i) column[i] -= times(factor, l[i]);
}

// False: a pivot is zero.
template <class Scalar>
bool eliminate_panel(MatrixRef<Scalar>& A, Index begin, Index end, std::vector<Index>& pivots) {
  const Index n = A.rows();
  for (Index k = begin; k < end; ++k) {
    // The largest entry below becomes the pivot; rows are exchanged within the panel, and in the rest of the matrix
    // later.
    Scalar* l = A.col(k).data();
    pivots[k] = largest_below(l, k, n);
    if (l[pivots[k]] == Scalar(0)) return false;
    if (pivots[k] != k)
      for (Index j = begin; j < end; ++j) std::swap(A(k, j), A(pivots[k], j));
    // The multipliers of this column, and what they take off the columns of the panel to the right.
    const Scalar inverse = 1.0 / l[k];
    for (Index i = k + 1; i < n; ++i) l[i] = times(l[i], inverse);
    for (Index j = k + 1; j < end; ++j) subtract(A.col(j).data(), A(k, j), l, k, n);
  }
  return true;
}

template <class Scalar>
void exchange_rows(Scalar* column, Index begin, Index end, const std::vector<Index>& pivots) {
  for (Index k = begin; k < end; ++k)
    if (pivots[k] != k) std::swap(column[k], column[pivots[k]]);
}

// What a panel takes off a column beside it. Below the panel four columns of L are subtracted at a time, one after the other
// as far as rounding goes.
template <class Scalar>
void eliminate_column(const MatrixRef<Scalar>& A, Scalar* column, Index begin, Index end, std::vector<Index>& nonzero) {
  const Index n = A.rows();
  nonzero.clear();
  // The part above: forward substitution within the panel, which skips zeros.
  for (Index k = begin; k < end; ++k) {
    if (column[k] == Scalar(0)) continue;
    nonzero.push_back(k);
    subtract(column, column[k], A.col(k).data(), k, end);
  }
  // The part below, four columns of L at a time, so that each entry is loaded and stored once for four.
  std::size_t at = 0;
  for (; at + 4 <= nonzero.size(); at += 4) {
    const Scalar *l0 = A.col(nonzero[at]).data(), *l1 = A.col(nonzero[at + 1]).data(),
                 *l2 = A.col(nonzero[at + 2]).data(), *l3 = A.col(nonzero[at + 3]).data();
    const Scalar u0 = column[nonzero[at]], u1 = column[nonzero[at + 1]], u2 = column[nonzero[at + 2]],
                 u3 = column[nonzero[at + 3]];
    for (Index i = end; i < n; ++i)
      column[i] = (((column[i] - times(u0, l0[i])) - times(u1, l1[i])) - times(u2, l2[i])) - times(u3, l3[i]);
  }
  for (; at < nonzero.size(); ++at) subtract(column, column[nonzero[at]], A.col(nonzero[at]).data(), end - 1, n);
}

}  // namespace

template <class Scalar>
typename BasicDenseLu<Scalar>::Result BasicDenseLu<Scalar>::factor(Eigen::Ref<Matrix> A, const GiveUp& give_up) {
  const Index n = A.rows();
  pivots_.resize(n);
  nonzero_.reserve(panel_width);
  // Panel by panel: the panel itself, then its exchanges on the left and its eliminations on the right.
  for (Index begin = 0; begin < n; begin += panel_width) {
    const Index end = std::min(begin + panel_width, n), height = n - begin;
    if (give_up(height * (end - begin))) return Result::stopped;
    if (!eliminate_panel<Scalar>(A, begin, end, pivots_)) return Result::singular;
    for (Index j = 0; j < begin; ++j) exchange_rows(A.col(j).data(), begin, end, pivots_);
    for (Index j = end; j < n; ++j) {
      exchange_rows(A.col(j).data(), begin, end, pivots_);
      eliminate_column<Scalar>(A, A.col(j).data(), begin, end, nonzero_);
      if (give_up(height * static_cast<Index>(nonzero_.size()))) return Result::stopped;
    }
  }
  return Result::done;
}

template <class Scalar>
void BasicDenseLu<Scalar>::solve(const Eigen::Ref<const Matrix>& LU, Eigen::Ref<Vector> b) const {
  const Index n = b.size();
  exchange_rows(b.data(), 0, n, pivots_);
  for (Index k = 0; k < n; ++k) b.tail(n - k - 1) -= b[k] * LU.col(k).tail(n - k - 1);
  for (Index k = n - 1; k >= 0; --k) {
    b[k] /= LU(k, k);
    b.head(k) -= b[k] * LU.col(k).head(k);
  }
}

template class BasicDenseLu<double>;
template class BasicDenseLu<std::complex<double>>;

}  // namespace armature::internal
