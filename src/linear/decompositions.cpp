#include "linear/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

namespace armature::internal {

namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class Matrix>
Svd<Matrix> jacobi(const Matrix& A, unsigned wanted) {
  const Eigen::JacobiSVD<Matrix> found(A, wanted);
  Svd<Matrix> result;
  result.values = found.singularValues();
  if (found.computeU()) result.U = found.matrixU();
  if (found.computeV()) result.V = found.matrixV();
  return result;
}

PivotedQr parts_of(const Eigen::ColPivHouseholderQR<MatrixXd>& qr) {
  return {qr.householderQ(), qr.matrixR(), qr.colsPermutation().indices(), qr.rank()};
}

}  // namespace

Svd<MatrixXd> svd(const MatrixXd& A, unsigned wanted) { return jacobi(A, wanted); }
Svd<MatrixXcd> svd(const MatrixXcd& A, unsigned wanted) { return jacobi(A, wanted); }

// Jacobi's rotations are the more exact and, for small matrices, the faster.
VectorXd singular_values(const MatrixXd& A) {
  constexpr Eigen::Index small = 16;
  if (std::min(A.rows(), A.cols()) <= small) return Eigen::JacobiSVD<MatrixXd>(A).singularValues();
  return Eigen::BDCSVD<MatrixXd>(A).singularValues();
}

Eigenpairs eigenpairs(const MatrixXd& A) {
  const Eigen::EigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigenpairs eigenpairs(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  return {solver.eigenvalues(), solver.eigenvectors()};
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

MatrixXd null_space(const MatrixXd& A) {
  const Eigen::FullPivLU<MatrixXd> lu(A);
  return lu.dimensionOfKernel() > 0 ? MatrixXd(lu.kernel()) : MatrixXd(A.cols(), 0);
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
VectorXd LeastNorm::solve(const VectorXd& b) const { return factors_->solve(b); }
MatrixXd LeastNorm::solve(const MatrixXd& B) const { return factors_->solve(B); }

}  // namespace armature::internal
