#include "linear/dense_kinetic_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void DenseKineticRows::resize(int nv, int m) {
  llt_.compute(MatrixXd::Identity(nv, nv));
  qr_ = Eigen::ColPivHouseholderQR<MatrixXd>(nv, m);
  Wt_.setZero(nv, m);
  X_.setZero(m, m);
  gram_.setZero(m, m);
  scale_.setOnes(m);
  squares_.setZero(m);
  groups_.resize(m);
  std::iota(groups_.begin(), groups_.end(), 0);
  for (VectorXd* y : {&y_, &a_, &c_}) y->setZero(nv);
  z_.setZero(m);
}

void DenseKineticRows::set_groups(const std::vector<int>& groups) {
  assert(groups.size() == groups_.size());
  groups_ = groups;
  squares_.setZero(groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end()));
}

bool DenseKineticRows::factor(const MatrixXd& M, const MatrixXd& Phi, double tolerance) {
  rank_ = 0, smallest_ = 1, neglected_ = 0;
  llt_.compute(M);
  if (llt_.info() != Eigen::Success || !llt_.matrixLLT().diagonal().allFinite()) return false;
  if (rows() == 0) return true;
  // With M = L L', the rows in the kinetic metric: the columns of W' = L^-1 Phi'.
  for (int i = 0; i < rows(); ++i) {
    Wt_.col(i) = Phi.row(i).transpose();
    llt_.matrixL().solveInPlace(Wt_.col(i));
  }
  if (!Wt_.allFinite()) return false;
  // Rows scaled to lengths of about one, their QR decomposition with pivots, and how many of them are independent.
  scale_rows();
  qr_.compute(Wt_);
  decide_rank(tolerance);
  return true;
}

void DenseKineticRows::scale_rows() {
  constexpr double zero_row = 1e-14;  // of the largest: what is left of such a row is round-off
  // Rows of one group, such as those of one joint, share a scale: the length of all of them, or a given extent.
  squares_.setZero();
  for (int i = 0; i < rows(); ++i) squares_[groups_[i]] += Wt_.col(i).squaredNorm();
  for (int i = 0; i < extents_.size(); ++i)
    if (extents_[i] > 0) squares_[groups_[i]] = extents_[i];
  const double largest = std::sqrt(squares_.maxCoeff());
  for (int i = 0; i < rows(); ++i) scale_[i] = std::sqrt(squares_[groups_[i]]);
  for (int i = 0; i < rows(); ++i) {
    if (scale_[i] > zero_row * largest) {
      Wt_.col(i) /= scale_[i];
    } else {
      Wt_.col(i).setZero();
      scale_[i] = 1;
    }
  }
}

void DenseKineticRows::decide_rank(double tolerance) {
  const int pivots = static_cast<int>(std::min(Wt_.rows(), Wt_.cols()));
  while (rank_ < pivots && pivot(rank_) > tolerance) smallest_ = std::min(smallest_, pivot(rank_++));
  for (int k = rank_; k < pivots; ++k) neglected_ = std::max(neglected_, pivot(k));
}

int DenseKineticRows::row(int k) const { return qr_.colsPermutation().indices()[k]; }

double DenseKineticRows::pivot(int k) const { return std::abs(qr_.matrixQR()(k, k)); }

void DenseKineticRows::apply_Q_transposed(VectorXd& y) const {
  for (int k = 0; k < rank_; ++k) {
    const auto tail = qr_.matrixQR().col(k).tail(y.size() - k - 1);
    const double s = qr_.hCoeffs()[k] * (y[k] + tail.dot(y.tail(y.size() - k - 1)));
    y[k] -= s;
    y.tail(y.size() - k - 1) -= s * tail;
  }
}

void DenseKineticRows::apply_Q(VectorXd& y) const {
  for (int k = rank_ - 1; k >= 0; --k) {
    const auto tail = qr_.matrixQR().col(k).tail(y.size() - k - 1);
    const double s = qr_.hCoeffs()[k] * (y[k] + tail.dot(y.tail(y.size() - k - 1)));
    y[k] -= s;
    y.tail(y.size() - k - 1) -= s * tail;
  }
}

void DenseKineticRows::particular(const VectorXd& r) {
  y_.setZero();
  if (rank_ == 0) return;
  for (int k = 0; k < rank_; ++k) y_[k] = r[row(k)] / scale_[row(k)];
  const auto R11 = qr_.matrixQR().topLeftCorner(rank_, rank_);
  R11.triangularView<Eigen::Upper>().transpose().solveInPlace(y_.head(rank_));
}

void DenseKineticRows::least_norm(const VectorXd& r, VectorXd& dv) {
  particular(r);
  apply_Q(y_);
  dv = y_;
  llt_.matrixU().solveInPlace(dv);
}

void DenseKineticRows::make_tangent(VectorXd& dv) {
  y_.noalias() = llt_.matrixU() * dv;
  apply_Q_transposed(y_);
  y_.head(rank_).setZero();
  apply_Q(y_);
  dv = y_;
  llt_.matrixU().solveInPlace(dv);
}

void DenseKineticRows::multipliers(const VectorXd& force, VectorXd& lambda) {
  c_ = force;
  llt_.matrixL().solveInPlace(c_);
  apply_Q_transposed(c_);
  least_norm_multipliers(c_, lambda);
}

// With Q' c = R P' D lambda and T = R11^-1 R12: D1 lambda1 + T D2 lambda2 = R11^-1 c1. Its solution of least norm is
// lambda1 = z, lambda2 = X' z  with  X = D1^-1 T D2  and  (E + X X') z = D1^-1 R11^-1 c1.
void DenseKineticRows::least_norm_multipliers(VectorXd& c, VectorXd& lambda) {
  const int k = rank_, rest = rows() - rank_;
  lambda.setZero();
  if (k == 0) return;
  // z = D1^-1 R11^-1 c1: the solution in the independent rows alone.
  const auto R11 = qr_.matrixQR().topLeftCorner(k, k).triangularView<Eigen::Upper>();
  auto z = z_.head(k);
  z = c.head(k);
  R11.solveInPlace(z);
  for (int i = 0; i < k; ++i) z[i] /= scale_[row(i)];
  if (rest > 0) {
    // X = D1^-1 R11^-1 R12 D2, a column for each dependent row.
    auto X = X_.topLeftCorner(k, rest);
    for (int j = 0; j < rest; ++j) {
      X.col(j) = qr_.matrixQR().col(k + j).head(k) * scale_[row(k + j)];
      R11.solveInPlace(X.col(j));
      for (int i = 0; i < k; ++i) X(i, j) /= scale_[row(i)];
    }
    // (E + X X') z, by Cholesky's method; then the multipliers of the dependent rows.
    Eigen::Ref<MatrixXd> gram = gram_.topLeftCorner(k, k);
    gram.setIdentity();
    for (int j = 0; j < rest; ++j) gram.selfadjointView<Eigen::Lower>().rankUpdate(X.col(j));
    Eigen::LLT<Eigen::Ref<MatrixXd>> llt(gram);
    llt.matrixL().solveInPlace(z);
    llt.matrixU().solveInPlace(z);
    for (int j = 0; j < rest; ++j) lambda[row(k + j)] = X.col(j).dot(z);
  }
  for (int i = 0; i < k; ++i) lambda[row(i)] = z[i];
}

// In y = L' vdot:  y = Q [R11^-T (P' D^-1 b)_1; (Q' L^-1 f)_2]  and  L^-1 Phi' lambda = L^-1 f - y.
void DenseKineticRows::solve(const VectorXd& f, const VectorXd& b, VectorXd& vdot, VectorXd& lambda) {
  a_ = f;
  llt_.matrixL().solveInPlace(a_);
  apply_Q_transposed(a_);
  particular(b);
  c_ = a_ - y_;
  y_.tail(y_.size() - rank_) = a_.tail(y_.size() - rank_);
  apply_Q(y_);
  vdot = y_;
  llt_.matrixU().solveInPlace(vdot);
  least_norm_multipliers(c_, lambda);
}

void DenseKineticRows::dependence(int k, VectorXd& c) const {
  c = qr_.matrixQR().col(k).head(rank_);
  if (rank_ > 0) qr_.matrixQR().topLeftCorner(rank_, rank_).triangularView<Eigen::Upper>().solveInPlace(c);
}

}  // namespace armature::internal
