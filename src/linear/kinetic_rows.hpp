// Constraint rows in the kinetic metric: rank, least-norm solves, and the constrained acceleration, all from one
// QR factorization.
//
//   M = L L'      W = D^-1 Phi L^-T,  D the norms of the rows of Phi L^-T, taken over a group      W' P = Q R
//
// L^-T takes out the units of the coordinates and D those of the rows, so that a pivot |R_kk| is the sine of the angle
// between a row and the rows before it: a pure number. Below `Regularity::dependent` the row is dependent and left out;
// between it and `Regularity::singular` the pose is nearly singular. Rows of one group are components of one vector: one of
// them that vanishes is small against the others, and so dependent too. A row that fixes the length of a vector is measured by
// the whole of it: its extent, in place of D.
//
// Dense matrices and small systems are factored densely, the largest pivot first (dense_kinetic_rows.hpp); large systems
// given by their pattern in an order that fills little, so that the work grows as the mechanism does
// (sparse_kinetic_rows.hpp). Nothing is allocated after the first factor(), unless the pattern changes or rows of a large
// system are dependent.
#pragma once

#include <variant>

#include "linear/dense_kinetic_rows.hpp"
#include "linear/sparse_kinetic_rows.hpp"
#include "step/regularity.hpp"

namespace armature::internal {

using step::Regularity;  // levels of the sine

class KineticRows {
 public:
  static constexpr int large =
      128;  // velocities and rows together: from here on the sparse factorization is the faster

  void resize(int nv, int m);                       // every row a group of its own
  void set_groups(const std::vector<int>& groups);  // one number a row; after resize()

  // False: M is not positive definite, or something is not finite. Pivots up to `tolerance` are dependent rows.
  bool factor(const Eigen::MatrixXd& M, const Eigen::MatrixXd& Phi, double tolerance = Regularity::dependent);
  bool factor(const SparseMatrix& M, const SparseMatrix& Phi, double tolerance = Regularity::dependent);
  template <class Terms>  // M, Phi and extent: the square, a row; 0: there is none
  bool factor(const Terms& terms, double tolerance = Regularity::dependent) {
    extents_ = terms.extent;
    return factor(terms.M, terms.Phi, tolerance);
  }

  int rows() const { return m_; }
  int rank() const;
  double smallest() const;   // smallest pivot that was kept; 1 without rows
  double neglected() const;  // largest pivot that was not; 0 if all were kept
  bool nearly_singular() const { return smallest() < Regularity::singular; }
  int row(int k) const;         // in the order of pivots: the first rank() are independent, the others follow from them
  double scale(int row) const;  // D: norm of the row's group in the kinetic metric

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
  template <class Rows>
  Rows& rows_as();

  int nv_ = 0, m_ = 0;
  std::vector<int> groups_;
  Eigen::VectorXd extents_;
  Eigen::MatrixXd M_, Phi_;  // of small systems given as sparse matrices
  std::variant<DenseKineticRows, SparseKineticRows> rows_;
};

}  // namespace armature::internal
