// Singular values and vectors by one-sided Jacobi rotations (Hestenes, J. SIAM 6, 1958): the columns of A are turned in
// pairs until they are orthogonal, and then
//
//   A V = U S,   U the columns divided by their lengths S.
//
// Small singular values keep their relative accuracy, and nothing is allocated after resize().
#pragma once

#include <Eigen/Core>

namespace armature::internal {

class SingularValues {
 public:
  void resize(int rows, int columns);
  // Whether to give up, asked after so many operations (a nanosecond each).
  using GiveUp = bool (*)(long operations);
  bool compute(const Eigen::MatrixXd& A, GiveUp give_up = nullptr);  // false: given up

  const Eigen::VectorXd& values() const { return values_; }  // one per column, the largest first
  const Eigen::MatrixXd& U() const { return U_; }            // rows x columns; zero where the singular value is zero
  const Eigen::MatrixXd& V() const { return V_; }            // columns x columns

 private:
  bool turn(int i, int j);  // makes two columns orthogonal; false: they were
  void sort();

  Eigen::MatrixXd U_, V_;
  Eigen::VectorXd values_;
  double negligible_ = 0;  // square of a length that is round-off of A
};

}  // namespace armature::internal
