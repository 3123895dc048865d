// KineticRows of sparse matrices: Cholesky's factorization and a QR factorization with known patterns,
//
//   P M P' = L L'      W = D^-1 Phi P' L^-T      W' = Q R
//
// Rows are taken in an order that fills little; a row of which nothing is left when its turn comes is dependent. What
// loops do not share does not meet: a chain of N loops costs N times what one does, also where every one of them is
// singular. See kinetic_rows.hpp.
#pragma once

#include "linear/sparse_cholesky.hpp"
#include "linear/sparse_qr.hpp"

namespace armature::internal {

class SparseKineticRows {
 public:
  void resize(int nv, int m);
  void set_groups(const std::vector<int>& groups);
  void set_extents(const Eigen::VectorXd& extents) { extents_ = extents; }  // of the rows, or none at all
  bool factor(const SparseMatrix& M, const SparseMatrix& Phi, double tolerance);

  int velocities() const { return static_cast<int>(y_.size()); }
  int rows() const { return static_cast<int>(scale_.size()); }
  int rank() const { return rank_; }
  double smallest() const { return smallest_; }
  double neglected() const { return neglected_; }
  int row(int k) const { return qr_.column(pivots_[k]); }
  double scale(int row) const { return scale_[row]; }
  long entries() const { return llt_.entries() + qr_.entries(); }  // of both factors

  void least_norm(const Eigen::VectorXd& r, Eigen::VectorXd& dv);
  void make_tangent(Eigen::VectorXd& dv);
  void multipliers(const Eigen::VectorXd& force, Eigen::VectorXd& lambda);
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& b, Eigen::VectorXd& vdot, Eigen::VectorXd& lambda);
  void dependence(int k, Eigen::VectorXd& c) const;

 private:
  void analyze(const SparseMatrix& M, const SparseMatrix& Phi);
  void take_rows(const SparseMatrix& Phi);  // W_ = Phi P' L^-T
  bool scale_rows();
  void decide_rank();
  void particular(const Eigen::VectorXd& r);                                 // head of Q' y: R11^-T (D^-1 r)_1
  void least_norm_multipliers(Eigen::VectorXd& c, Eigen::VectorXd& lambda);  // R D lambda = c; c is lost

  SparseMatrix M_, Phi_;  // whose patterns were analyzed
  SparseCholesky llt_;
  SparseQr qr_, qr_of_R_;
  std::vector<int> start_, places_;  // of W, row by row: places of L
  std::vector<double> W_, work_;
  Eigen::VectorXd scale_, squares_, extents_, y_, head_, c_;
  std::vector<int> groups_;  // from 0
  std::vector<int> pivots_;  // places of the QR factorization, independent ones first
  int rank_ = 0;
  double smallest_ = 1, neglected_ = 0;
};

}  // namespace armature::internal
