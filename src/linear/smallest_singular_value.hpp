// The smallest singular value s of a matrix A alone, much cheaper than all of them:
//
//   s^2 = the smallest eigenvalue of A A'  (or A'A, whichever is smaller).
//
// Squares lose digits: s comes out to eps (|A|/s)^2 of itself. Where that is not enough, rotations find it (see
// singular_values.hpp).
#pragma once

#include <Eigen/Eigenvalues>

#include "linear/singular_values.hpp"
#include "linear/sparse_matrix.hpp"

namespace armature {

class SmallestSingularValue {
 public:
  void resize(int rows, int columns);
  double operator()(const SparseMatrix& A);

 private:
  Eigen::MatrixXd dense_, product_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> squares_;
  SingularValues all_;
  bool wide_ = false;  // more columns than rows
};

}  // namespace armature
