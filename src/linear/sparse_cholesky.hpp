// Cholesky factorization of a sparse symmetric positive definite matrix with a known pattern,
//
//   P A P' = L L'
//
// P by minimum degree, so that the mass matrix of a tree fills nowhere. Row k of L has its entries where the elimination
// tree leads from the entries of row k of A (Davis, Direct Methods for Sparse Linear Systems, 2006, ch. 4): what a
// factorization costs is what it fills. Nothing is allocated after analyze().
#pragma once

#include <vector>

#include "linear/sparse_matrix.hpp"

namespace armature::internal {

class SparseCholesky {
 public:
  void analyze(const SparseMatrix& A);  // the pattern, both triangles
  bool factor(const SparseMatrix& A);   // false: not positive definite, or not finite

  int size() const { return static_cast<int>(order_.size()); }
  long entries() const { return static_cast<long>(row_.size()); }  // of L below its diagonal

  // Vectors in the order of A on one side and of L on the other.
  void solve_L(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;      // y = L^-1 P x
  void solve_Lt(Eigen::VectorXd& y, Eigen::VectorXd& x) const;           // x = P' L^-T y; y is lost
  void multiply_Lt(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;  // y = L' P x

  int place(int k) const { return place_[k]; }  // of row k of A in L
  // The places where L^-1 P x may be other than zero, for an x that is zero but at some places of L.
  void close(std::vector<int>& places) const;
  // x = L^-1 x where only the entries at closed places, in order, are not zero.
  void solve_L_at(const int* places, int count, double* x) const;

 private:
  std::vector<int> order_, place_;       // order_[place_[k]] = k
  std::vector<int> parent_;              // elimination tree, -1: a root
  std::vector<int> start_, row_;         // L below its diagonal, by columns, rows ascending
  std::vector<int> row_start_, column_;  // L left of its diagonal, by rows, columns ascending
  std::vector<int> filled_;
  std::vector<double> value_, diagonal_, work_;
};

}  // namespace armature::internal
