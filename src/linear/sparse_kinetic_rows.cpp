#include "linear/sparse_kinetic_rows.hpp"

#include <cassert>
#include <cmath>
#include <numeric>

namespace armature::internal {

using Eigen::VectorXd;

void SparseKineticRows::resize(int nv, int m) {
  scale_.setOnes(m);
  squares_.setZero(m);
  groups_.resize(m);
  std::iota(groups_.begin(), groups_.end(), 0);
  y_.setZero(nv), work_.assign(nv, 0);
  head_.setZero(m), c_.setZero(m), pivots_.assign(m, 0);
}

void SparseKineticRows::set_groups(const std::vector<int>& groups) {
  assert(groups.size() == groups_.size());
  groups_ = groups;
  squares_.setZero(groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end()));
}

void SparseKineticRows::analyze(const SparseMatrix& M, const SparseMatrix& Phi) {
  M_ = M, Phi_ = Phi;
  llt_.analyze(M);
  start_.assign(1, 0), places_.clear();
  std::vector<int> reached;
  for (int r = 0; r < rows(); ++r) {
    reached.clear();
    for (SparseMatrix::InnerIterator entry(Phi, r); entry; ++entry)
      reached.push_back(llt_.place(static_cast<int>(entry.col())));
    llt_.close(reached);
    places_.insert(places_.end(), reached.begin(), reached.end());
    start_.push_back(static_cast<int>(places_.size()));
  }
  W_.assign(places_.size(), 0);
  qr_.analyze(static_cast<int>(M.rows()), start_, places_);
}

bool SparseKineticRows::factor(const SparseMatrix& M, const SparseMatrix& Phi, double tolerance) {
  rank_ = 0, smallest_ = 1, neglected_ = 0;
  if (!same_pattern(M, M_) || !same_pattern(Phi, Phi_)) analyze(M, Phi);
  if (!llt_.factor(M)) return false;
  if (rows() == 0) return true;
  take_rows(Phi);
  if (!scale_rows()) return false;
  qr_.factor(W_, tolerance);
  decide_rank();
  return true;
}

void SparseKineticRows::take_rows(const SparseMatrix& Phi) {
  for (int r = 0; r < rows(); ++r) {
    for (SparseMatrix::InnerIterator entry(Phi, r); entry; ++entry)
      work_[llt_.place(static_cast<int>(entry.col()))] = entry.value();
    llt_.solve_L_at(places_.data() + start_[r], start_[r + 1] - start_[r], work_.data());
    for (int p = start_[r]; p < start_[r + 1]; ++p) W_[p] = work_[places_[p]], work_[places_[p]] = 0;
  }
}

// A row 1e14 times smaller than the largest is zero: what is left of it is round-off.
bool SparseKineticRows::scale_rows() {
  squares_.setZero();
  for (int r = 0; r < rows(); ++r)
    for (int p = start_[r]; p < start_[r + 1]; ++p) squares_[groups_[r]] += W_[p] * W_[p];
  for (int i = 0; i < extents_.size(); ++i)
    if (extents_[i] > 0) squares_[groups_[i]] = extents_[i];
  if (!squares_.allFinite()) return false;
  const double largest = std::sqrt(squares_.maxCoeff());
  constexpr double zero_row = 1e-14;  // of the largest, as in DenseKineticRows
  for (int r = 0; r < rows(); ++r) {
    scale_[r] = std::sqrt(squares_[groups_[r]]);
    const bool zero = !(scale_[r] > zero_row * largest);
    if (zero) scale_[r] = 1;
    for (int p = start_[r]; p < start_[r + 1]; ++p) W_[p] = zero ? 0 : W_[p] / scale_[r];
  }
  return true;
}

void SparseKineticRows::decide_rank() {
  for (int k = 0; k < rows(); ++k)
    if (qr_.independent(k)) pivots_[rank_++] = k, smallest_ = std::min(smallest_, qr_.pivot(k));
  int next = rank_;
  for (int k = 0; k < rows(); ++k)
    if (!qr_.independent(k)) pivots_[next++] = k, neglected_ = std::max(neglected_, qr_.pivot(k));
}

void SparseKineticRows::particular(const VectorXd& r) {
  for (int k = 0; k < rows(); ++k) head_[k] = qr_.independent(k) ? r[qr_.column(k)] / scale_[qr_.column(k)] : 0;
  qr_.solve_Rt(head_);
}

void SparseKineticRows::least_norm(const VectorXd& r, VectorXd& dv) {
  particular(r);
  qr_.clear_tail();
  qr_.head() = head_;
  qr_.from_basis(y_);
  dv.resize(y_.size());
  llt_.solve_Lt(y_, dv);
}

void SparseKineticRows::make_tangent(VectorXd& dv) {
  llt_.multiply_Lt(dv, y_);
  qr_.to_basis(y_);
  qr_.head().setZero();
  qr_.from_basis(y_);
  llt_.solve_Lt(y_, dv);
}

void SparseKineticRows::multipliers(const VectorXd& force, VectorXd& lambda) {
  llt_.solve_L(force, y_);
  qr_.to_basis(y_);
  c_ = qr_.head();
  least_norm_multipliers(c_, lambda);
}

// Where rows are dependent, R has more columns than rows; with  D R' = Q_R T  the solution of least norm is Q_R T^-T c.
void SparseKineticRows::least_norm_multipliers(VectorXd& c, VectorXd& lambda) {
  lambda.setZero();
  if (rank_ == rows()) {
    qr_.solve_R(c);
    for (int k = 0; k < rows(); ++k) lambda[qr_.column(k)] = c[k] / scale_[qr_.column(k)];
    return;
  }
  std::vector<int> start{0}, row;
  std::vector<double> values;
  for (int i = 0; i < rank_; ++i) {
    const SparseQr::Row entries = qr_.row(pivots_[i]);
    for (int p = 0; p < entries.count; ++p) {
      row.push_back(entries.places[p]);
      values.push_back(entries.values[p] * scale_[qr_.column(entries.places[p])]);
    }
    start.push_back(static_cast<int>(row.size()));
  }
  qr_of_R_.analyze(rows(), start, row);
  qr_of_R_.factor(values, 0);
  VectorXd head(rank_), by_place(rows());
  for (int k = 0; k < rank_; ++k) head[k] = c[pivots_[qr_of_R_.column(k)]];
  qr_of_R_.solve_Rt(head);
  qr_of_R_.clear_tail();
  qr_of_R_.head() = head;
  qr_of_R_.from_basis(by_place);
  for (int k = 0; k < rows(); ++k) lambda[qr_.column(k)] = by_place[k];
}

// In y = L' vdot:  y = Q [R11^-T (D^-1 b)_1; (Q' L^-1 f)_2]  and  L^-1 Phi' lambda = L^-1 f - y.
void SparseKineticRows::solve(const VectorXd& f, const VectorXd& b, VectorXd& vdot, VectorXd& lambda) {
  llt_.solve_L(f, y_);
  qr_.to_basis(y_);
  particular(b);
  c_ = qr_.head() - head_;
  qr_.head() = head_;
  qr_.from_basis(y_);
  llt_.solve_Lt(y_, vdot);
  least_norm_multipliers(c_, lambda);
}

void SparseKineticRows::dependence(int k, VectorXd& c) const {
  VectorXd x = VectorXd::Zero(rows());
  const int dependent = pivots_[k];
  for (int i = 0; i < rank_; ++i) {
    const SparseQr::Row entries = qr_.row(pivots_[i]);
    const int* found = std::lower_bound(entries.places, entries.places + entries.count, dependent);
    if (found != entries.places + entries.count && *found == dependent)
      x[pivots_[i]] = entries.values[found - entries.places];
  }
  qr_.solve_R(x);
  c.resize(rank_);
  for (int i = 0; i < rank_; ++i) c[i] = x[pivots_[i]];
}

}  // namespace armature::internal
