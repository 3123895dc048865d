// The smallest singular value s of a matrix A alone, much cheaper than all of them:
//
//   s^2 = the smallest eigenvalue of G = A A'  (or A'A, whichever is smaller).
//
// Matrices come one after the other along a motion: the eigenvector v of the last one is followed to the next by the
// iteration of Rayleigh's quotient,
//
//   mu = v'G v      (G - mu E) w = v      v = w/|w|,
//
// which triples the digits of v in each step. There is no smaller eigenvalue where G - (mu - round-off) E is positive definite;
// where it is not, all eigenvalues of G are found.
//
// Squares lose digits: s comes out to eps (|A|/s)^2 of itself. Where that is not enough, rotations find it (see
// singular_values.hpp).
#pragma once

#include "linear/decompositions.hpp"
#include "linear/singular_values.hpp"
#include "linear/sparse_matrix.hpp"

namespace armature::internal {

class SmallestSingularValue {
 public:
  void resize(int rows, int columns);
  double operator()(const SparseMatrix& A);

 private:
  void square(const SparseMatrix& A);  // into G_
  double followed();                   // the smallest eigenvalue; NaN: not found
  double decomposed();                 // the same
  bool factor(double shift);           // G - shift E = L D L'; whether all pivots are positive
  void improve(double shift);          // v_ by one solve
  double quotient();                   // and Gv_

  Eigen::MatrixXd dense_, G_, L_;
  Eigen::VectorXd D_, v_, Gv_;
  Eigen::VectorXd row_;           // one of A
  SymmetricEigenvalues squares_;  // all of G
  SingularValues all_;
  bool wide_ = false;  // more columns than rows
};

}  // namespace armature::internal
