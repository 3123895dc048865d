#include "integrate/dense_lu.hpp"

#include <gtest/gtest.h>
#include <sundials/sundials_dense.h>

#include <random>

namespace armature::internal {
namespace {

const DenseLu::GiveUp never = [](long) { return false; };

// Entries about zero with holes, as in the matrices of mechanisms.
Eigen::MatrixXd matrix_with_holes(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Eigen::MatrixXd A(n, n);
  for (double& entry : A.reshaped()) entry = number(random) < 0.4 ? 0 : number(random);
  return A;
}

std::vector<double*> columns(Eigen::MatrixXd& A) {
  std::vector<double*> pointers;
  for (int j = 0; j < A.cols(); ++j) pointers.push_back(A.col(j).data());
  return pointers;
}

// Sizes of one panel, of a panel and a bit, and of several.
TEST(DenseLu, HasTheBitsOfSundialsOwnRoutine) {
  for (const int n : {1, 2, 7, 47, 48, 49, 50, 96, 131, 200}) {
    const Eigen::MatrixXd A = matrix_with_holes(n, 7 + n);
    Eigen::MatrixXd ours = A, theirs = A;
    std::vector<sunindextype> pivots(n);
    std::vector<double*> pointers = columns(theirs);
    const sunindextype singular = SUNDlsMat_denseGETRF(pointers.data(), n, n, pivots.data());
    DenseLu lu;
    ASSERT_EQ(lu.factor(ours, never), singular ? DenseLu::Result::singular : DenseLu::Result::done) << n;
    if (singular) continue;
    EXPECT_TRUE(ours == theirs) << n;
    Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 2), b = x;
    lu.solve(ours, x);
    SUNDlsMat_denseGETRS(pointers.data(), n, pivots.data(), b.data());
    EXPECT_TRUE(x == b) << n;
  }
}

TEST(DenseLu, SolvesASystemWhosePivotsAreElsewhere) {
  Eigen::Matrix3d A{{0, 2, 0}, {0, 0, 4}, {1, 0, 0}};
  Eigen::MatrixXd LU = A;
  DenseLu lu;
  ASSERT_EQ(lu.factor(LU, never), DenseLu::Result::done);
  Eigen::VectorXd x = Eigen::Vector3d(2, 12, 5);
  lu.solve(LU, x);
  EXPECT_EQ(x, Eigen::Vector3d(5, 1, 3));
}

TEST(DenseLu, SaysThatAMatrixIsSingular) {
  Eigen::MatrixXd A = matrix_with_holes(60, 3);
  A.col(55).setZero();
  EXPECT_EQ(DenseLu().factor(A, never), DenseLu::Result::singular);
}

// Between two questions lies less than a fifth of a second, at a nanosecond an operation.
TEST(DenseLu, IsGivenUpBetweenColumns) {
  const int n = 300;
  long asked = 0, operations = 0, longest = 0;
  Eigen::MatrixXd A = matrix_with_holes(n, 1), B = A;
  ASSERT_EQ(DenseLu().factor(A,
                             [&](long more) {
                               ++asked, operations += more, longest = std::max(longest, more);
                               return false;
                             }),
            DenseLu::Result::done);
  EXPECT_LE(longest, n * n / 4);
  EXPECT_GT(operations, long(n) * n * n / 5);  // n³/3 of a full matrix
  long left = asked / 2;
  EXPECT_EQ(DenseLu().factor(B, [&](long) { return --left < 0; }), DenseLu::Result::stopped);
  EXPECT_EQ(left, -1);
}

}  // namespace
}  // namespace armature::internal
