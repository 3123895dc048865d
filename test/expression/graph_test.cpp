// Folding and sharing in the expression graph.
#include "expression/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature {
namespace {

TEST(Graph, StoresEveryNodeOnce) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const Expression first = x * y + sin(x);
  const auto size = graph.size();
  EXPECT_EQ(first, y * x + sin(x));
  EXPECT_EQ(graph.size(), size);
}

TEST(Graph, ZerosAndOnesDisappear) {
  Graph graph;
  const Expression x = graph.input("x");
  EXPECT_TRUE((0.0 * x).is(0));
  EXPECT_EQ(1.0 * x, x);
  EXPECT_EQ(x + 0.0, x);
  EXPECT_TRUE((x - x).is(0));
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(x - (-x), x + x);
  EXPECT_EQ(2.0 * (3.0 * x), 6.0 * x);
  EXPECT_EQ(pow(x, 2.0), x * x);
  EXPECT_EQ(sin(-x), -sin(x));
  EXPECT_EQ(cos(-x), cos(x));
  EXPECT_TRUE((Expression(2.0) * Expression(3.0)).is(6));
}

TEST(Graph, OneComparisonIsOneMode) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const Expression first = unit_step(x - y);
  EXPECT_EQ(above(y - x), 1.0 - first);  // x < y where not x >= y
  EXPECT_EQ(unit_step(2.0 * (x - y)), first);
  EXPECT_EQ(abs(x - y), select(first, x - y, y - x));
  EXPECT_EQ(graph.modes().size(), 1u);
}

TEST(Graph, SelectFoldsEqualBranchesAndFixedWeights) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), w = unit_step(x);
  EXPECT_EQ(select(w, y, y), y);
  EXPECT_EQ(select(1.0, x, y), x);
  EXPECT_EQ(select(0.0, x, y), y);
}

TEST(Table, InterpolatesAndHolds) {
  const Table linear = Table::linear({0, 1, 3}, {0, 2, 0});
  EXPECT_DOUBLE_EQ(linear.evaluate(0.5, 0), 1);
  EXPECT_DOUBLE_EQ(linear.evaluate(2, 0), 1);
  EXPECT_DOUBLE_EQ(linear.evaluate(2, 1), -1);
  EXPECT_DOUBLE_EQ(linear.evaluate(7, 0), 0);
  EXPECT_DOUBLE_EQ(linear.evaluate(7, 1), 0);
}

TEST(Table, SplineReproducesItsKnotsAndIsSmooth) {
  const std::vector<double> x{0, 0.7, 1.1, 2, 3.5}, y{1, -1, 0.3, 2, 0};
  const Table spline = Table::spline(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(spline.evaluate(x[i], 0), y[i], 1e-14);
  for (std::size_t i = 1; i + 1 < x.size(); ++i)
    for (int order : {1, 2})
      EXPECT_NEAR(spline.evaluate(x[i] - 1e-9, order), spline.evaluate(x[i] + 1e-9, order), 1e-6) << order;
  EXPECT_NEAR(spline.evaluate(0, 2), 0, 1e-14);  // natural ends
  EXPECT_NEAR(spline.evaluate(3.5, 2), 0, 1e-13);
}

}  // namespace
}  // namespace armature
