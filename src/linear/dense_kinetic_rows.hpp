// KineticRows of dense matrices: Cholesky's factorization and a QR factorization with column pivoting,
//
//   M = L L'      W = D^-1 Phi L^-T      W' P = Q R
//
// See kinetic_rows.hpp. Nothing is allocated after resize().
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <vector>

namespace armature::internal {

class DenseKineticRows {
 public:
  void resize(int nv, int m);
  void set_groups(const std::vector<int>& groups);
  void set_extents(const Eigen::VectorXd& extents) { extents_ = extents; }  // of the rows, or none at all
  bool factor(const Eigen::MatrixXd& M, const Eigen::MatrixXd& Phi, double tolerance);

  int velocities() const { return static_cast<int>(y_.size()); }
  int rows() const { return static_cast<int>(scale_.size()); }
  int rank() const { return rank_; }
  double smallest() const { return smallest_; }
  double neglected() const { return neglected_; }
  int row(int k) const;
  double pivot(int k) const;
  double scale(int row) const { return scale_[row]; }

  void least_norm(const Eigen::VectorXd& r, Eigen::VectorXd& dv);
  void make_tangent(Eigen::VectorXd& dv);
  void multipliers(const Eigen::VectorXd& force, Eigen::VectorXd& lambda);
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& b, Eigen::VectorXd& vdot, Eigen::VectorXd& lambda);
  void dependence(int k, Eigen::VectorXd& c) const;

 private:
  void scale_rows();
  void decide_rank(double tolerance);
  void particular(const Eigen::VectorXd& r);  // y_ = Q1 R11^-T (P' D^-1 r)_1
  void apply_Q(Eigen::VectorXd& y) const;     // Q y, the first rank() reflections
  void apply_Q_transposed(Eigen::VectorXd& y) const;
  void least_norm_multipliers(Eigen::VectorXd& c, Eigen::VectorXd& lambda);  // L^-1 Phi' lambda = c; c is lost

  Eigen::LLT<Eigen::MatrixXd> llt_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
  Eigen::MatrixXd Wt_;        // nv x m
  Eigen::MatrixXd X_, gram_;  // rank x (m - rank), rank x rank: for multipliers of dependent rows
  Eigen::VectorXd scale_, squares_, extents_, y_, a_, c_, z_;
  std::vector<int> groups_;  // from 0
  int rank_ = 0;
  double smallest_ = 1, neglected_ = 0;
};

}  // namespace armature::internal
