// Derivatives of every function against central differences; substitution; dependence.
#include "expression/derivative.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "expression/program.hpp"

namespace armature::internal {
namespace {

struct Case {
  const char* name;
  std::function<Expression(Expression, Expression)> f;
};

class EveryFunction : public testing::TestWithParam<Case> {};

TEST_P(EveryFunction, MatchesCentralDifferences) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const Expression f = GetParam().f(x, y);
  const Expression outputs[] = {f, Derivative({{x.id(), 1.0}, {y.id(), -0.5}})(f)};
  const std::vector<Expression> inputs{x, y};
  Evaluator evaluate(std::make_shared<Program>(inputs, outputs));
  auto at = [&](double s) {
    const double in[] = {0.37 + s, 0.81 - 0.5 * s};
    double out[2];
    evaluate(in, out);
    return std::pair(out[0], out[1]);
  };
  // central, fourth order: truncation h^4 f'''''/30, round-off 1e-16/h
  const double h = 2e-4;
  const double difference = (8 * (at(h).first - at(-h).first) - (at(2 * h).first - at(-2 * h).first)) / (12 * h);
  EXPECT_NEAR(at(0).second, difference, 1e-10 * (1 + std::abs(difference)));
}

INSTANTIATE_TEST_SUITE_P(
    Functions, EveryFunction,
    testing::
        Values(
            Case{"sum", [](auto x, auto y) { return x + y; }}, Case{"difference", [](auto x, auto y) { return x - y; }},
            Case{"product", [](auto x, auto y) { return x * y; }},
            Case{"quotient", [](auto x, auto y) { return x / y; }},
            Case{"negative", [](auto x, auto y) { return -(x * y); }},
            Case{"sqrt", [](auto x, auto y) { return sqrt(x + y); }},
            Case{"sin", [](auto x, auto y) { return sin(x * y); }},
            Case{"cos", [](auto x, auto y) { return cos(x * y); }},
            Case{"tan", [](auto x, auto y) { return tan(x * y); }},
            Case{"asin", [](auto x, auto y) { return asin(x * y); }},
            Case{"acos", [](auto x, auto y) { return acos(x * y); }},
            Case{"atan", [](auto x, auto y) { return atan(x * y); }},
            Case{"atan2", [](auto x, auto y) { return atan2(x, y); }},
            Case{"sinh", [](auto x, auto y) { return sinh(x * y); }},
            Case{"cosh", [](auto x, auto y) { return cosh(x * y); }},
            Case{"tanh", [](auto x, auto y) { return tanh(x * y); }},
            Case{"exp", [](auto x, auto y) { return exp(x * y); }},
            Case{"log", [](auto x, auto y) { return log(x * y); }},
            Case{"pow", [](auto x, auto y) { return pow(x, y); }},
            Case{"cube", [](auto x, auto) { return pow(x, 3.0); }},
            Case{"inverse", [](auto x, auto) { return pow(x, -2.0); }},
            Case{"root", [](auto x, auto) { return pow(x, 1.7); }},
            Case{
                "table",
                [](auto x, auto) {
                  static auto table = std::make_shared<const Table>(Table::spline({0, 0.3, 0.5, 1}, {0, 1, -1, 2}));
                  return x.graph()->lookup(table, x);
                }}),
    [](const auto& info) { return info.param.name; });

TEST(Derivative, HoldsOutcomesFixed) {
  Graph graph;
  const Expression x = graph.input("x");
  EXPECT_EQ(Derivative({{x.id(), 1.0}})(abs(x)), select(unit_step(x), 1.0, -1.0));
}

TEST(Substitution, FoldsWhatBecomesConstant) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  EXPECT_EQ(Substitution({{x.id(), 0.0}})(cos(x) * y + sin(x)), y);
}

TEST(Leaves, AreThoseOfTheCone) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), z = graph.input("z");
  EXPECT_TRUE(depends_on(x * y, y));
  EXPECT_FALSE(depends_on(x * y, z));
  EXPECT_EQ(leaves_of(z + x).size(), 2u);
}

}  // namespace
}  // namespace armature::internal
