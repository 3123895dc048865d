#include "system/determinants.hpp"

#include <gtest/gtest.h>

#include "expression/program.hpp"
#include "linear/decompositions.hpp"

namespace armature::internal {
namespace {

TEST(Determinant, IsThatOfNumbers) {
  for (int n = 1; n <= 5; ++n) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [](Eigen::Index i, Eigen::Index j) {
      return std::cos(1.0 + 3 * static_cast<double>(i) + 7 * i * j) + (i == j);
    });
    Graph graph;
    std::vector<Expression> leaves;
    std::vector<double> values;
    std::vector<std::vector<Expression>> matrix(n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        leaves.push_back(graph.input("a"));
        values.push_back(A(i, j));
        matrix[i].push_back(leaves.back());
      }
    Evaluator evaluator(std::make_shared<Program>(leaves, std::vector<Expression>{determinant(matrix)}));
    double value = 0;
    evaluator(values.data(), &value);
    EXPECT_NEAR(value, determinant(A), 1e-12) << n;  // sums of products of numbers near 1
  }
}

TEST(Determinant, OfAZeroColumnIsZero) {
  Graph graph;
  const Expression x = graph.input("x");
  EXPECT_TRUE(determinant({{x, 0.0}, {2.0 * x, 0.0}}).is(0));
}

}  // namespace
}  // namespace armature::internal
