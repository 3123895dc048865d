// Least-squares solutions of least norm: the conditions that define them, on random matrices of any rank.
#include "step/least_norm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>
#include <vector>

namespace armature::internal {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class LeastNorm {
 public:
  LeastNorm(const Rows& A, double threshold)
      : columns_(static_cast<int>(A.cols())),
        numbers_(static_cast<std::size_t>(step::LeastNorm::numbers(static_cast<int>(A.rows()), columns_))),
        indices_(static_cast<std::size_t>(step::LeastNorm::indices(columns_))),
        solver_(numbers_.data(), indices_.data()) {
    solver_.factor(static_cast<int>(A.rows()), columns_, A.data(), threshold);
  }
  int rank() const { return solver_.rank(); }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) {
    Eigen::VectorXd x(columns_);
    solver_.solve(b.data(), x.data());
    return x;
  }
  Eigen::VectorXd null_vector(int k) {
    Eigen::VectorXd x(columns_);
    solver_.null_vector(k, x.data());
    return x;
  }

 private:
  int columns_;
  std::vector<double> numbers_;
  std::vector<int> indices_;
  step::LeastNorm solver_;
};

TEST(LeastNorm, HasResidualsAcrossTheColumnsAndSolutionsAcrossTheNullSpace) {
  std::mt19937 random(7);
  std::normal_distribution<double> draw;
  const auto matrix = [&](int rows, int columns) {
    Rows A(rows, columns);
    for (int i = 0; i < A.size(); ++i) A.data()[i] = draw(random);
    return A;
  };
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    const int rows = 1 + k % 7, columns = 1 + k / 7 % 6, rank = 1 + k / 42 % std::min(rows, columns);
    const Rows A = matrix(rows, rank) * matrix(rank, columns);
    LeastNorm least(A, 1e-10);
    ASSERT_EQ(least.rank(), rank);
    const Eigen::VectorXd b = matrix(rows, 1), x = least.solve(b);
    EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-10 * (1 + A.squaredNorm()) * (1 + x.norm()));
    for (int i = 0; i < columns - rank; ++i) {
      const Eigen::VectorXd z = least.null_vector(i);
      EXPECT_NEAR(z.norm(), 1, 1e-13);
      EXPECT_LT((A * z).norm(), 1e-12 * (1 + A.norm()));
      EXPECT_LT(std::abs(z.dot(x)), 1e-11 * (1 + x.norm()));
      for (int j = 0; j < i; ++j) EXPECT_NEAR(z.dot(least.null_vector(j)), 0, 1e-13);
    }
  }
}

TEST(LeastNorm, OfNothingIsNothing) {
  LeastNorm least(Rows::Zero(3, 2), 1e-10);
  EXPECT_EQ(least.rank(), 0);
  EXPECT_EQ(least.solve(Eigen::Vector3d(1, 2, 3)), Eigen::VectorXd::Zero(2));
}

}  // namespace
}  // namespace armature::internal
