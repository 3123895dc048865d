// Folding and sharing in the expression graph.
#include "expression/graph.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "support/random_draws.hpp"

namespace armature::internal {
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

TEST(Graph, OneComparisonIsOneOutcome) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y");
  const Expression first = unit_step(x - y);
  EXPECT_EQ(above(y - x), 1.0 - first);  // x < y where not x >= y
  EXPECT_EQ(unit_step(2.0 * (x - y)), first);
  EXPECT_EQ(abs(x - y), select(first, x - y, y - x));
  EXPECT_EQ(graph.comparisons().size(), 1u);
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

// Through unequal samples of sin(2 pi x/P): the same after any number of periods, smooth where it repeats, and closer than (P/n)^4.
TEST(Table, PeriodicSplineRepeatsSmoothly) {
  const double period = 3, w = 2 * std::numbers::pi / period;
  for (const int n : {2, 3, 12, 24}) {
    std::vector<double> x, y;
    for (int i = 0; i <= n; ++i)
      x.push_back(1 + period * (i + (i % n ? 0.2 * std::sin(i) : 0)) / n), y.push_back(std::sin(w * x.back()));
    const Table spline = Table::periodic_spline(x, y);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(spline.evaluate(x[i], 0), y[i], 1e-13);
    for (int order : {0, 1, 2})
      EXPECT_NEAR(spline.evaluate(1 - 1e-9, order), spline.evaluate(1 + 1e-9, order), 1e-6 * n * n) << order;
    EXPECT_NEAR(spline.evaluate(1.7 + 5 * period, 1), spline.evaluate(1.7, 1), 1e-12);
    EXPECT_NEAR(spline.evaluate(1.7 - 2 * period, 0), spline.evaluate(1.7, 0), 1e-12);
    if (n >= 12) {
      EXPECT_NEAR(spline.evaluate(2.345, 0), std::sin(w * 2.345), std::pow(w * period / n, 4) / 50);
    }
  }
}

// mod(x, y) in [0, y) for y > 0 and in (y, 0] for y < 0.
bool is_remainder(double value, double y) { return y > 0 ? value >= 0 && value < y : value <= 0 && value > y; }

TEST(Remainder, OfNumbersIsExactWhereTheyAre) {
  EXPECT_EQ(remainder(7.0, 3.0).value(), 1);
  EXPECT_EQ(remainder(-1.0, 3.0).value(), 2);
  EXPECT_EQ(remainder(7.0, -3.0).value(), -2);
  EXPECT_EQ(remainder(6.0, 3.0).value(), 0);
  EXPECT_EQ(remainder(-1e-20, 1.0).value(), 1 - 0x1p-53);  // 1 itself is not in [0, 1)
}

// At the ends of its turns and an ulp or two beside them.
TEST(Remainder, IsInItsRangeForAnyNumbers) {
  for_random_draws(1000, [] {
    const double y = (random_integer(0, 1) ? 1 : -1) * std::pow(10, random_number(-6, 6));
    double x = random_integer(-1000000, 1000000) * y;
    for (int k = random_integer(0, 3); k > 0; --k) x = std::nextafter(x, random_integer(0, 1) ? 1e300 : -1e300);
    const double value = remainder(x, y).value();
    RC_ASSERT(is_remainder(value, y));
    RC_ASSERT(std::abs(std::remainder(value - x, y)) <= 2e-14 * (std::abs(x) + std::abs(y)));
  });
}

// The outcome of a wrap is set where x has reached it but for round-off, on either side.
TEST(Remainder, IsInItsRangeWithTheOutcomeOfEitherSide) {
  Graph graph;
  const Expression x = graph.input("x"), y = graph.input("y"), value = remainder(x, y);
  const Program program({{x, y, graph.outcome(0)}}, std::vector<Expression>{value});
  std::vector<double> work(std::size_t(program.work_size()));
  program.prepare(work.data());
  for_random_draws(1000, [&] {
    const double length = std::pow(10, random_number(-6, 6)), n = random_integer(-10000, 10000);
    const double at = std::nextafter(n * length, random_integer(0, 1) ? 1e300 : -1e300);
    for (const double outcome : {n, n - 1}) {
      const double inputs[] = {at, length, outcome};
      double found = -1;
      program.evaluate(inputs, &found, work.data());
      RC_ASSERT(is_remainder(found, length));
      RC_ASSERT(std::abs(found - (outcome == n ? 0 : length)) <= 1e-13 * (std::abs(at) + length));
    }
  });
}

// Beyond the ends, in a step that goes too far, x - y n goes on without a jump.
TEST(Remainder, GoesOnSmoothlyWhileItsOutcomeIsHeld) {
  Graph graph;
  const Expression x = graph.input("x"), value = remainder(x, 0.5);
  const Program program({{x, graph.outcome(0)}}, std::vector<Expression>{value, Derivative({{x.id(), 1.0}})(value)});
  std::vector<double> work(std::size_t(program.work_size()));
  program.prepare(work.data());
  for (const double at : {-0.3, -1e-10, 0.0, 0.2, 0.5, 0.5 + 1e-10, 0.9}) {
    const double inputs[] = {at, 0};
    double found[2];
    program.evaluate(inputs, found, work.data());
    EXPECT_NEAR(found[0], at, 2e-14) << at;
    EXPECT_EQ(found[1], 1) << at;
  }
}

}  // namespace
}  // namespace armature::internal
