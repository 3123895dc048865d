#include "linear/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

PivotedQr parts_of(const Eigen::ColPivHouseholderQR<MatrixXd>& qr) {
  return {qr.householderQ(), qr.matrixR(), qr.colsPermutation().indices(), qr.rank()};
}

}  // namespace

Svd svd(const MatrixXd& A, unsigned wanted) {
  const Eigen::JacobiSVD<MatrixXd> found(A, wanted);
  Svd result;
  result.values = found.singularValues();
  if (found.computeU()) result.U = found.matrixU();
  if (found.computeV()) result.V = found.matrixV();
  return result;
}

// Jacobi's rotations are the more exact and, for small matrices, the faster. Of a large A: A P = Q R, and the singular values of R are
// the positive eigenvalues of (0 R; R' 0).
VectorXd singular_values(const MatrixXd& A) {
  constexpr Eigen::Index small = 16;
  const Eigen::Index n = std::min(A.rows(), A.cols());
  if (n <= small) return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A.rows() < A.cols() ? MatrixXd(A.transpose()) : A);
  MatrixXd symmetric = MatrixXd::Zero(2 * n, 2 * n);
  symmetric.bottomLeftCorner(n, n) = MatrixXd(qr.matrixR().topRows(n).triangularView<Eigen::Upper>()).transpose();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(symmetric,
                                                       Eigen::EigenvaluesOnly);  // reads what is below the diagonal
  return solver.eigenvalues().tail(n).reverse().cwiseMax(0);
}

Eigenpairs eigenpairs(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// With M = L L': L^-1 K L^-T y = value y, v = L^-T y.
SymmetricEigenpairs eigenpairs(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::LLT<MatrixXd> llt(M);
  MatrixXd C = K.selfadjointView<Eigen::Lower>();
  llt.matrixL().solveInPlace<Eigen::OnTheLeft>(C);
  llt.matrixU().solveInPlace<Eigen::OnTheRight>(C);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(C);
  SymmetricEigenpairs result{solver.eigenvalues(), solver.eigenvectors()};
  llt.matrixU().solveInPlace(result.vectors);
  return result;
}

struct SymmetricEigenvalues::Solver : Eigen::SelfAdjointEigenSolver<MatrixXd> {};

SymmetricEigenvalues::SymmetricEigenvalues() : solver_(std::make_unique<Solver>()) {}
SymmetricEigenvalues::~SymmetricEigenvalues() = default;
void SymmetricEigenvalues::resize(Eigen::Index n) { compute(MatrixXd::Identity(n, n)); }
const VectorXd& SymmetricEigenvalues::values() const { return solver_->eigenvalues(); }

bool SymmetricEigenvalues::compute(const MatrixXd& A) {
  solver_->compute(A, Eigen::EigenvaluesOnly);
  return solver_->info() == Eigen::Success;
}

PivotedQr pivoted_qr(const MatrixXd& A) { return parts_of(Eigen::ColPivHouseholderQR<MatrixXd>(A)); }

PivotedQr pivoted_qr(const MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  qr.setThreshold(threshold);
  return parts_of(qr);
}

Eigen::VectorXi pivot_order(const MatrixXd& A) {
  return Eigen::ColPivHouseholderQR<MatrixXd>(A).colsPermutation().indices();
}

double determinant(const MatrixXd& A) { return A.determinant(); }

// The columns of Q beyond the rank of A' P = Q R
MatrixXd null_space(const MatrixXd& A) {
  const PivotedQr qr = pivoted_qr(A.transpose());
  return qr.Q.rightCols(A.cols() - qr.rank);
}

VectorXd solve_square(const MatrixXd& A, const VectorXd& b) { return A.partialPivLu().solve(b); }
MatrixXd solve_square(const MatrixXd& A, const MatrixXd& B) { return A.partialPivLu().solve(B); }
VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

MatrixXd over_cholesky(const MatrixXd& X, const MatrixXd& M) {
  return Eigen::LLT<MatrixXd>(M).matrixL().solve(X.transpose()).transpose();
}

MatrixXd upper_solve(const MatrixXd& M, const MatrixXd& B) { return Eigen::LLT<MatrixXd>(M).matrixU().solve(B); }
VectorXd upper_solve(const MatrixXd& M, const VectorXd& b) { return Eigen::LLT<MatrixXd>(M).matrixU().solve(b); }

struct LeastNorm::Factors : Eigen::CompleteOrthogonalDecomposition<MatrixXd> {
  using Eigen::CompleteOrthogonalDecomposition<MatrixXd>::CompleteOrthogonalDecomposition;
};

void LeastNorm::factor(const MatrixXd& A) { factors_ = std::make_shared<const Factors>(A); }
void LeastNorm::factor(const MatrixXd& A, double threshold) {
  auto factors = std::make_shared<Factors>(A.rows(), A.cols());
  factors->setThreshold(threshold);
  factors->compute(A);
  factors_ = std::move(factors);
}
VectorXd LeastNorm::solve(const VectorXd& b) const { return factors_->solve(b); }
MatrixXd LeastNorm::solve(const MatrixXd& B) const { return factors_->solve(B); }

}  // namespace armature::internal
