#include "linear/smallest_singular_value.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

namespace armature {
namespace {

using Eigen::MatrixXd;

MatrixXd orthogonal(int n) {
  const MatrixXd random = MatrixXd::Random(n, n);
  return Eigen::HouseholderQR<MatrixXd>(random).householderQ();
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

}  // namespace
}  // namespace armature
