// Tables as expressions.
#include "expression/interpolate.hpp"

#include <gtest/gtest.h>

#include "expression/program.hpp"

namespace armature::internal {
namespace {

// The value at x with every comparison decided by its root.
double value_at(Expression y, Expression x, double at) {
  Graph& graph = *x.graph();
  std::vector<Expression> inputs{x}, roots;
  std::vector<double> in{at};
  for (std::size_t k = 0; k < graph.comparisons().size(); ++k) {
    inputs.push_back(graph.outcome(static_cast<int>(k)));
    roots.push_back(graph.comparisons()[k].root);
  }
  in.resize(inputs.size(), 0.0);
  std::vector<double> root(roots.size());
  if (!roots.empty()) Evaluator(std::make_shared<Program>(inputs, roots))(in.data(), root.data());
  for (std::size_t k = 0; k < root.size(); ++k) in[k + 1] = root[k] >= 0;
  const std::vector<Expression> outputs{y};
  double result = 0;
  Evaluator(std::make_shared<Program>(inputs, outputs))(in.data(), &result);
  return result;
}

TEST(Interpolate, KinksOfAShortLinearTableAreComparisons) {
  for (bool hold : {true, false}) {
    auto table = std::make_shared<Table>(Table::linear({0, 1, 3}, {0, 2, -1}));
    table->hold = hold;
    Graph graph;
    const Expression x = graph.input("x"), y = interpolate(table, x);
    EXPECT_EQ(graph.comparisons().size(), hold ? 3u : 1u);
    for (double at : {-1.0, 0.0, 0.4, 1.0, 2.0, 3.0, 5.0})
      EXPECT_NEAR(value_at(y, x, at), table->evaluate(at, 0), 1e-15) << at;
  }
}

TEST(Interpolate, SplinesAndLongTablesAreLookedUpBetweenTheirEnds) {
  Graph graph;
  const Expression x = graph.input("x");
  interpolate(std::make_shared<Table>(Table::spline({0, 1, 2}, {0, 1, 0})), x);
  std::vector<double> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  interpolate(std::make_shared<Table>(Table::linear(many, many)), x);
  EXPECT_EQ(graph.comparisons().size(), 3u);  // beyond 0, 2 and 99 the tables hold their last values
}

}  // namespace
}  // namespace armature::internal
