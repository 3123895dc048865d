// Whatever a function of numbers in given ranges becomes lies in the range that is computed, and the ends are reached.
#include "step/range.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::step {
namespace {

struct StandardFunctions {
  static double atan2(double y, double x) { return std::atan2(y, x); }
};

// All values on a grid of both ranges lie in the computed one, and come within `gap` of its ends.
template <class Function>
void expect_enclosed(Range computed, Range a, Range b, const Function& f, double gap) {
  const int n = 200;
  double low = infinity, high = -infinity;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const double value = f(a.low + (a.high - a.low) * i / n, b.low + (b.high - b.low) * j / n);
      low = std::min(low, value), high = std::max(high, value);
    }
  EXPECT_LE(computed.low, low + 1e-14 * std::abs(low));
  EXPECT_GE(computed.high, high - 1e-14 * std::abs(high));
  EXPECT_NEAR(computed.low, low, gap);
  EXPECT_NEAR(computed.high, high, gap);
}

TEST(Range, OfSumsProductsAndQuotientsIsExact) {
  for (const Range a : {Range{1, 3}, {-2, 1}, {-4, -3}})
    for (const Range b : {Range{2, 5}, {-5, -0.5}, {-1, 2}}) {
      expect_enclosed(
          a + b, a, b, [](double x, double y) { return x + y; }, 1e-12);
      expect_enclosed(
          a - b, a, b, [](double x, double y) { return x - y; }, 1e-12);
      expect_enclosed(
          a * b, a, b, [](double x, double y) { return x * y; }, 1e-12);
      if (!b.contains(0))
        expect_enclosed(
            a / b, a, b, [](double x, double y) { return x / y; }, 1e-12);
      expect_enclosed(
          square(a), a, b, [](double x, double) { return x * x; }, 1e-3);
    }
  EXPECT_FALSE((Range{1, 2} / Range{-1, 1}).bounded());
  EXPECT_FALSE((Range{0, 0} * Range::everything()).bounded());
  EXPECT_EQ((-Range{1, 3}).low, -3);
  EXPECT_EQ(root({-4, 9}).low, 0);
  EXPECT_EQ(root({4, 9}).high, 3);
}

TEST(Range, OfSinesKnowsTheirTurns) {
  for (double low = -8; low < 8; low += 0.37)
    for (const double width : {0.1, 1.0, 3.0, 5.0, 7.0}) {
      const Range x{low, low + width};
      expect_enclosed(
          sine(x, std::sin(x.low), std::sin(x.high)), x, {0, 0}, [](double a, double) { return std::sin(a); }, 1e-3);
      expect_enclosed(
          cosine(x, std::cos(x.low), std::cos(x.high)), x, {0, 0}, [](double a, double) { return std::cos(a); }, 1e-3);
    }
  EXPECT_EQ(sine(Range::everything(), 0, 0).low, -1);
}

TEST(Range, OfAnArcTangentIsAWholeTurnAcrossItsCut) {
  for (const Range x : {Range{1, 2}, {-2, 3}, {-3, -1}})
    for (const Range y : {Range{0.5, 1}, {-2, -1}})
      expect_enclosed(
          arc_tangent<StandardFunctions>(y, x), y, x, [](double a, double b) { return std::atan2(a, b); }, 1e-12);
  EXPECT_NEAR(arc_tangent<StandardFunctions>(Range{-1, 1}, Range{-3, -1}).size(), M_PI, 1e-15);
  EXPECT_NEAR(arc_tangent<StandardFunctions>(Range{-1, 1}, Range{1, 3}).high, M_PI / 4, 1e-15);
}

TEST(Range, WidensByRoundOffOnly) {
  const Range x = widened({-2, 3});
  EXPECT_LT(x.low, -2);
  EXPECT_GT(x.high, 3);
  EXPECT_NEAR(x.low, -2, 1e-14);
  EXPECT_EQ(widened(Range::point(0.3)).low, 0.3);
  EXPECT_EQ(hull({1, 2}, {-1, 1.5}).low, -1);
  EXPECT_EQ(hull({1, 2}, {-1, 1.5}).high, 2);
}

}  // namespace
}  // namespace armature::step
