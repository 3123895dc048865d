#include "linear/smallest_singular_value.hpp"

#include <gtest/gtest.h>

#include "linear/decompositions.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;

MatrixXd orthogonal(int n) {
  const MatrixXd random = MatrixXd::Random(n, n);
  return pivoted_qr(random).Q;
}

// U S V' with S = 1, ..., 1, smallest.
SparseMatrix matrix_with(double smallest, int rows, int columns) {
  MatrixXd S = MatrixXd::Identity(rows, columns);
  const int last = std::min(rows, columns) - 1;
  S(last, last) = smallest;
  return SparseMatrix((orthogonal(rows) * S * orthogonal(columns).transpose()).sparseView(0, 0));
}

TEST(SmallestSingularValue, IsFoundInWideTallAndSquareMatrices) {
  std::srand(1);
  for (const auto& [rows, columns] : {std::pair{4, 9}, {9, 4}, {5, 5}, {1, 6}}) {
    SmallestSingularValue smallest;
    smallest.resize(rows, columns);
    for (const double s : {0.9, 1e-2, 1.1e-3}) EXPECT_NEAR(smallest(matrix_with(s, rows, columns)), s, 1e-9 * s);
  }
}

// U S V' itself is rounded: a singular value is what it is to about eps |A|.
TEST(SmallestSingularValue, IsNotLostInItsSquare) {
  std::srand(2);
  SmallestSingularValue smallest;
  smallest.resize(4, 9);
  for (const double s : {1e-5, 1e-9, 1e-12, 0.0}) EXPECT_NEAR(smallest(matrix_with(s, 4, 9)), s, 1e-15);
}

// Along a path on which the two smallest values cross, so that the vector that is followed becomes the wrong one; and back.
TEST(SmallestSingularValue, IsTheSmallestWhereTwoCross) {
  std::srand(3);
  const MatrixXd U = orthogonal(4), V = orthogonal(7);
  SmallestSingularValue smallest;
  smallest.resize(4, 7);
  for (int k = 0; k <= 400; ++k) {
    const double t = 0.005 * k;
    MatrixXd S = MatrixXd::Zero(4, 7);
    S.diagonal() << 2, 0.3 + 0.2 * std::sin(5 * t), 0.3 - 0.2 * std::sin(5 * t), 1;
    EXPECT_NEAR(smallest(SparseMatrix((U * S * V.transpose()).sparseView(0, 0))), 0.3 - 0.2 * std::abs(std::sin(5 * t)),
                1e-13);
  }
}

// As all singular values have it, along a path through a singular pose.
TEST(SmallestSingularValue, AgreesWithAllOfThemAlongAPath) {
  std::srand(4);
  const MatrixXd A = MatrixXd::Random(6, 9), B = MatrixXd::Random(6, 9);
  SmallestSingularValue smallest;
  smallest.resize(6, 9);
  SingularValues all;
  all.resize(9, 6);
  for (int k = 0; k <= 200; ++k) {
    MatrixXd C = std::cos(0.05 * k) * A + std::sin(0.05 * k) * B;
    C.row(5) = (k - 100) * 1e-2 * C.row(5) + C.row(0);
    all.compute(C.transpose());
    EXPECT_NEAR(smallest(SparseMatrix(C.sparseView(0, 0))), all.values()[5], 1e-12 + 1e-10 * all.values()[5]);
  }
}

}  // namespace
}  // namespace armature::internal
