// Eigen computes; tested is what is composed of its decompositions here.
#include "linear/decompositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "linear/random_matrix.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Values of a large matrix are found by another way than those of a small one.
TEST(Decompositions, SingularValuesOfLargeMatricesAreThoseOfRotations) {
  for (const auto& [rows, columns] : {std::pair(40, 40), std::pair(60, 30), std::pair(20, 50)}) {
    MatrixXd A = random_matrix(rows, columns);
    A.row(3) = 2 * A.row(0) - A.row(1);  // of the square one, the last value is zero
    const VectorXd values = singular_values(A), known = svd(A, 0).values;
    ASSERT_EQ(values.size(), known.size());
    EXPECT_LT((values - known).cwiseAbs().maxCoeff(), 1e-14 * (rows + columns) * known[0]);
  }
}

TEST(Decompositions, EigenvectorsOfAPairAreOrthonormalInItsMass) {
  const MatrixXd X = random_matrix(9, 9), Y = random_matrix(12, 9);
  const MatrixXd K = X.transpose() * X, M = Y.transpose() * Y;
  const auto [values, V] = eigenpairs(K, M);
  EXPECT_LT((K * V - M * V * values.asDiagonal()).norm(), 1e-12 * K.norm());
  EXPECT_LT((V.transpose() * M * V - MatrixXd::Identity(9, 9)).norm(), 1e-12);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

TEST(Decompositions, NullSpaceIsOrthonormalAndMappedToZero) {
  MatrixXd A = random_matrix(4, 7);
  A.row(2) = A.row(0) + A.row(3);
  const MatrixXd N = null_space(A);
  ASSERT_EQ(N.cols(), 4);
  EXPECT_LT((A * N).norm(), 1e-14 * A.norm());
  EXPECT_LT((N.transpose() * N - MatrixXd::Identity(4, 4)).norm(), 1e-14);
  EXPECT_EQ(null_space(random_matrix(7, 4)).cols(), 0);
}

}  // namespace
}  // namespace armature::internal
