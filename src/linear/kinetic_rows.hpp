// Constraint rows in the kinetic metric: rank, least-norm solves, and the constrained acceleration, all from one
// pivoted QR factorization.
//
//   M = L L'      W = D^-1 Phi L^-T,  D the norms of the rows of Phi L^-T, taken over a group      W' P = Q R
//
// L^-T takes out the units of the coordinates and D those of the rows, so that a pivot |R_kk| is the sine of the angle
// between a row and the rows before it: a pure number. Below `rank_tolerance` the row is dependent and left out;
// between it and `near_singular` the pose is nearly singular. Rows of one group are components of one vector: one of
// them that vanishes is small against the others, and so dependent too.
//
// Nothing is allocated after resize().
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <vector>

namespace armature {

inline constexpr double rank_tolerance = 1e-8;
inline constexpr double near_singular = 1e-4;

class KineticRows {
 public:
  void resize(int nv, int m);                       // every row a group of its own
  void set_groups(const std::vector<int>& groups);  // one number a row; after resize()

  // False: M is not positive definite, or something is not finite. Pivots up to `tolerance` are dependent rows.
  bool factor(const Eigen::MatrixXd& M, const Eigen::MatrixXd& Phi, double tolerance = rank_tolerance);

  int rows() const { return static_cast<int>(scale_.size()); }
  int rank() const { return rank_; }
  double smallest() const { return smallest_; }    // smallest pivot that was kept; 1 without rows
  double neglected() const { return neglected_; }  // largest pivot that was not; 0 if all were kept
  bool nearly_singular() const { return smallest_ < near_singular; }
  int row(int k) const;                                // the k-th row in the order of pivots: k < rank(): independent
  double pivot(int k) const;                           // k < min(rows, nv)
  double scale(int row) const { return scale_[row]; }  // D: norm of the row's group in the kinetic metric

  // The dv smallest in the kinetic metric with Phi dv = r on the independent rows.
  void least_norm(const Eigen::VectorXd& r, Eigen::VectorXd& dv);

  // dv loses its part that moves along the constraints' normals: afterwards Phi dv = 0.
  void make_tangent(Eigen::VectorXd& dv);

  // The lambda of least norm with Phi' lambda = force, for a force in the row space.
  void multipliers(const Eigen::VectorXd& force, Eigen::VectorXd& lambda);

  // M vdot + Phi' lambda = f,  Phi vdot = b on the independent rows; lambda of least norm.
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& b, Eigen::VectorXd& vdot, Eigen::VectorXd& lambda);

  // dependent row k (rank() <= k < rows(), in the order of pivots) = sum_i c_i W_row(i), both rows divided by their
  // norms.
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
  Eigen::VectorXd scale_, squares_, y_, a_, c_, z_;
  std::vector<int> groups_;  // from 0
  int rank_ = 0;
  double smallest_ = 1, neglected_ = 0;
};

}  // namespace armature
