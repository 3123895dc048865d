// How far a table has gone up and down.
#include "expression/variation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace armature::internal {
namespace {

double at(const Variation& v, double x) { return v.table.evaluate(x, 0) + v.slope * (x - v.first); }

TEST(Variation, AddsRisesAndFallsOfALinearTable) {
  const Variation v = variation(Table::linear({0, 1, 2, 3, 5}, {0, 2, 1, 1, 5}));
  EXPECT_DOUBLE_EQ(at(v, 0.5), 1);
  EXPECT_DOUBLE_EQ(at(v, 1), 2);
  EXPECT_DOUBLE_EQ(at(v, 1.5), 2.5);
  EXPECT_DOUBLE_EQ(at(v, 2.7), 3);
  EXPECT_DOUBLE_EQ(at(v, 4), 5);
  EXPECT_DOUBLE_EQ(at(v, 9), 7);  // beyond the knots the table holds its value
  EXPECT_DOUBLE_EQ(at(v, -9), 0);
}

// The integral of |table'| by many small trapezoids.
TEST(Variation, IsTheIntegralOfTheSlopesSizeOfASpline) {
  std::vector<double> x, y;
  for (int i = 0; i <= 20; ++i) x.push_back(0.4 * i), y.push_back(std::sin(2 * x.back()) + 0.3 * x.back());
  const Table table = Table::spline(x, y);
  const Variation v = variation(table);
  constexpr int parts = 80000;
  double sum = 0;
  for (int i = 0; i < parts; ++i) {
    const double from = 8.0 * i / parts, to = 8.0 * (i + 1) / parts;
    sum += (std::abs(table.evaluate(from, 1)) + std::abs(table.evaluate(to, 1))) / 2 * (to - from);
    if (i % 7919 == 0) EXPECT_NEAR(at(v, to), sum, 1e-6) << to;
  }
}

TEST(Variation, OfATableThatRepeatsGoesOn) {
  Table saw = Table::linear({1, 2, 5}, {0, 3, 0});
  saw.hold = false, saw.repeat = true;
  const Variation v = variation(saw);
  EXPECT_NEAR(at(v, 1.5), 1.5, 1e-14);
  EXPECT_NEAR(at(v, 5), 6, 1e-14);
  EXPECT_NEAR(at(v, 6), 9, 1e-14);
  EXPECT_NEAR(at(v, 1 + 40), 60, 1e-12);
  EXPECT_NEAR(at(v, -3), -6, 1e-14);
}

}  // namespace
}  // namespace armature::internal
