// The gradient that goes from the expression down to its leaves, against the derivatives along each leaf.
#include "expression/reverse_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "expression/derivative.hpp"
#include "expression/program.hpp"

namespace armature::internal {
namespace {

TEST(ReverseGradient, IsThatOfEveryOperation) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), unused = graph.input("unused");
  const auto table = std::make_shared<const Table>(Table::spline({0, 1, 2, 3}, {0, 2, 1, 4}));
  const Expression weight = unit_step(x - 0.2);
  const std::vector<Expression> all{x + y,
                                    x - y,
                                    x * y,
                                    x / y,
                                    -x,
                                    sqrt(x),
                                    sin(x),
                                    cos(x),
                                    tan(x),
                                    asin(x),
                                    acos(x),
                                    atan(x),
                                    sinh(x),
                                    cosh(x),
                                    tanh(x),
                                    exp(x),
                                    log(x),
                                    atan2(x, y),
                                    pow(x, 3.5),
                                    pow(x, y),
                                    kept_above(x, 0.0),
                                    kept_below(x, 9.0),
                                    graph.lookup(table, x + y),
                                    select(weight, x * y, sin(y)),
                                    square(sin(x * y) + y) / (1.0 + x)};
  const double in[] = {0.7, 1.3, 0, 1};
  for (const Expression& f : all) {
    const std::vector<Expression> gradient = reverse_gradient(f, {x, y, unused});
    ASSERT_EQ(gradient.size(), 3u);
    EXPECT_TRUE(gradient[2].is(0));
    const std::vector<Expression> expected{Derivative({{x.id(), 1.0}})(f), Derivative({{y.id(), 1.0}})(f)};
    const std::vector<Expression> outputs{gradient[0], gradient[1], expected[0], expected[1]};
    double out[4];
    Evaluator evaluate(std::make_shared<const Program>(std::vector<Expression>{x, y, unused, weight}, outputs));
    evaluate(in, out);
    EXPECT_NEAR(out[0], out[2], 1e-13 * (1 + std::abs(out[2])));  // the same terms in another order: round-off
    EXPECT_NEAR(out[1], out[3], 1e-13 * (1 + std::abs(out[3])));
  }
}

TEST(ReverseGradient, OfANumberIsZero) {
  Graph graph;
  const std::vector<Expression> gradient = reverse_gradient(3.0, {graph.input("x")});
  EXPECT_TRUE(gradient[0].is(0));
}

}  // namespace
}  // namespace armature::internal
