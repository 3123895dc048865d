// Decompositions of dense matrices for what is decomposed now and then: they allocate, but for SymmetricEigenvalues. They are Eigen's,
// templates that take the compiler seconds each, and are compiled here, once.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace armature::internal {

// A = U diag(values) V', the largest value first. U and V are empty unless they are wanted.
struct Svd {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
};
// wanted: Eigen::ComputeFullU or ComputeThinU, ComputeFullV or ComputeThinV, or both with |
Svd svd(const Eigen::MatrixXd& A, unsigned wanted);
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);  // the largest first

// A v = value v: values, and the vectors as columns.
struct Eigenpairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
Eigenpairs eigenpairs(const Eigen::MatrixXd& A);

// K v = value M v with symmetric K and positive definite M: the smallest value first, v'M v = 1.
struct SymmetricEigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigenpairs eigenpairs(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M);

// The eigenvalues of one symmetric matrix after the other.
class SymmetricEigenvalues {
 public:
  SymmetricEigenvalues();
  ~SymmetricEigenvalues();
  void resize(Eigen::Index n);
  bool compute(const Eigen::MatrixXd& A);  // n times n: allocates nothing. False: no convergence
  const Eigen::VectorXd& values() const;   // the smallest first

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

// A P = Q R with column pivoting, Q square. P: column order[k] of A is the k-th that is taken.
struct PivotedQr {
  Eigen::MatrixXd Q, R;  // what is below the diagonal of R is not of it
  Eigen::VectorXi order;
  Eigen::Index rank = 0;
};
PivotedQr pivoted_qr(const Eigen::MatrixXd& A);
PivotedQr pivoted_qr(const Eigen::MatrixXd& A, double threshold);  // a pivot is zero below this part of the largest

// The columns of A in the order in which a QR decomposition with column pivoting takes them.
Eigen::VectorXi pivot_order(const Eigen::MatrixXd& A);

double determinant(const Eigen::MatrixXd& A);
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A);  // orthonormal columns; none where only zero is mapped to zero
Eigen::VectorXd solve_square(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);  // A regular
Eigen::MatrixXd solve_square(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);  // A positive semidefinite

// With M = L L': X L^-T, and L^-T B.
Eigen::MatrixXd over_cholesky(const Eigen::MatrixXd& X, const Eigen::MatrixXd& M);
Eigen::MatrixXd upper_solve(const Eigen::MatrixXd& M, const Eigen::MatrixXd& B);
Eigen::VectorXd upper_solve(const Eigen::MatrixXd& M, const Eigen::VectorXd& b);

// Solves A x = b for as many b as you like: x of least norm with the least |A x - b|. Copies share what is factored.
class LeastNorm {
 public:
  void factor(const Eigen::MatrixXd& A);
  void factor(const Eigen::MatrixXd& A, double threshold);  // a pivot is zero below this part of the largest
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

}  // namespace armature::internal
