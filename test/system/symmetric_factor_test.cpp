#include "system/symmetric_factor.hpp"

#include <gtest/gtest.h>

#include "expression/program.hpp"
#include "linear/decompositions.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// An arrow: its tip last, so that no fill appears.
MatrixXd arrow(int n) {
  MatrixXd A = 4 * MatrixXd::Identity(n, n);
  for (int i = 0; i + 1 < n; ++i) A(i, n - 1) = A(n - 1, i) = 0.5 + 0.1 * i;
  return A;
}

struct TracedArrow {
  explicit TracedArrow(int n) : A(arrow(n)) {
    LowerTriangle lower(n);
    for (int j = 0; j < n; ++j)
      for (int i = j; i < n; ++i)
        if (A(i, j) != 0) {
          leaves.push_back(graph.input("A"));
          values.push_back(A(i, j));
          lower(i, j) = leaves.back();
        }
    factor = SymmetricFactor(lower);
  }
  VectorXd evaluate(const std::vector<Expression>& outputs) {
    Evaluator evaluator(std::make_shared<Program>(leaves, outputs));
    VectorXd out(static_cast<Eigen::Index>(outputs.size()));
    evaluator(values.data(), out.data());
    return out;
  }
  Graph graph;
  MatrixXd A;
  std::vector<Expression> leaves;
  std::vector<double> values;
  SymmetricFactor factor;
};

TEST(SymmetricFactor, HasThePivotsOfTheMatrix) {
  TracedArrow traced(5);
  const VectorXd D = traced.evaluate(traced.factor.D);
  EXPECT_NEAR(D.prod(), determinant(traced.A), 1e-12);  // some products of numbers near 4
  EXPECT_LT((D.cwiseProduct(traced.evaluate(traced.factor.inverse_D)) - VectorXd::Ones(5)).norm(), 1e-14);
}

TEST(SymmetricFactor, FillsNothingInWhereTheOrderAllows) {
  const TracedArrow traced(6);
  for (std::size_t j = 0; j + 1 < traced.factor.L.size(); ++j) {
    ASSERT_EQ(traced.factor.L[j].size(), 1u);
    EXPECT_EQ(traced.factor.L[j][0].place, 5);
  }
}

TEST(SymmetricFactor, SolvesForAllRightSidesAtOnce) {
  const int n = 4;
  TracedArrow traced(n);
  const MatrixXd B = MatrixXd::NullaryExpr(n, 2, [](Eigen::Index i, Eigen::Index k) { return 1.0 + i * (k + 1.5); });
  std::vector<Pack> packs;
  RightSides sides(2, packs);
  std::vector<RightSides::Number> x;
  for (int i = 0; i < n; ++i) {
    RightSides::Number number;
    for (int k = 0; k < 2; ++k) {
      traced.leaves.push_back(traced.graph.input("b"));
      traced.values.push_back(B(i, k));
      number.push_back(traced.leaves.back());
    }
    x.push_back(number);
  }
  traced.factor.forward(sides, x);
  for (int i = 0; i < n; ++i) x[i] = sides.times(traced.factor.inverse_D[i], x[i]);
  traced.factor.backward(sides, x);
  for (int k = 0; k < 2; ++k) {
    std::vector<Expression> column;
    for (int i = 0; i < n; ++i) column.push_back(x[i][k]);
    EXPECT_LT((traced.A * traced.evaluate(column) - B.col(k)).norm(), 1e-13);  // round-off of numbers near 10
  }
}

// The tip of an arrow sees all others and goes last, among its last neighbor.
TEST(LeastDegreeOrder, EliminatesLeavesFirst) {
  const std::vector<int> order = least_degree_order({{3}, {3}, {3}, {0, 1, 2}});
  ASSERT_EQ(order.size(), 4u);
  EXPECT_NE(order[0], 3);
  EXPECT_NE(order[1], 3);
}

}  // namespace
}  // namespace armature::internal
