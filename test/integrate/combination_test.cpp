#include "integrate/combination.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>

namespace armature {
namespace {

TEST(Combination, AddsColumnsOneAfterTheOther) {
  for (int n = 1; n <= 20; ++n) {
    const Eigen::MatrixXd columns = Eigen::MatrixXd::Random(n, 5);
    const Eigen::VectorXd start = Eigen::VectorXd::Random(n), factors = Eigen::VectorXd::Random(5);
    Eigen::VectorXd expected = start, result = start;
    Combination combination;
    for (int i = 0; i < 5; ++i) {
      expected += factors[i] * columns.col(i);
      combination.add(factors[i], columns.col(i).data());
    }
    combination.add_to(result.data(), n);
    EXPECT_EQ(result, expected) << n;  // to the last bit
  }
}

}  // namespace
}  // namespace armature
