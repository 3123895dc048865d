#include "linear/singular_values.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "linear/decompositions.hpp"
#include "linear/random_matrix.hpp"
#include "support/allocation_counter.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

SingularValues decomposed(const MatrixXd& A) {
  SingularValues svd;
  svd.resize(static_cast<int>(A.rows()), static_cast<int>(A.cols()));
  svd.compute(A);
  return svd;
}

// Round-off of products of matrices of order one: a few epsilon a term.
void expect_decomposition(const MatrixXd& A) {
  const SingularValues found = decomposed(A);
  const MatrixXd product = found.U() * found.values().asDiagonal() * found.V().transpose();
  EXPECT_LT((product - A).norm(), 1e-14 * A.cols() * A.norm());
  const VectorXd known = svd(A, 0).values;
  for (Eigen::Index k = 0; k < found.values().size(); ++k)
    EXPECT_NEAR(found.values()[k], k < known.size() ? known[k] : 0, 1e-13 * known[0]) << k;
}

TEST(SingularValues, AreGivenUpWhereNobodyWantsThem) {
  SingularValues svd;
  svd.resize(40, 30);
  EXPECT_FALSE(svd.compute(random_matrix(40, 30), [](long operations) { return operations >= 30 * 40; }));
  EXPECT_TRUE(svd.compute(random_matrix(40, 30), [](long) { return false; }));
}

TEST(SingularValues, GiveTheMatrixBack) {
  expect_decomposition(random_matrix(7, 4));
  expect_decomposition(random_matrix(5, 5));
  expect_decomposition(random_matrix(4, 7));  // more columns than rows
  expect_decomposition(random_matrix(81, 80));
}

TEST(SingularValues, DependentColumns) {
  MatrixXd A = random_matrix(8, 5);
  A.col(3) = 2 * A.col(0) - A.col(1);
  A.col(4).setZero();
  expect_decomposition(A);
  EXPECT_LT(decomposed(A).values()[3], 1e-14);
  EXPECT_GT(decomposed(A).values()[2], 0.1);
}

TEST(SingularValues, SmallOnesKeepTheirDigits) {
  MatrixXd A = random_matrix(6, 3);
  const double before = decomposed(A).values()[2];
  EXPECT_NEAR(decomposed(MatrixXd(1e-12 * A)).values()[2] / (1e-12 * before), 1, 1e-13);
}

TEST(SingularValues, AllocateNothing) {
  const MatrixXd A = random_matrix(60, 60);
  SingularValues svd;
  svd.resize(60, 60);
  const AllocationCounter counter;
  svd.compute(A);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace armature::internal
