#include "step/zero_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::step {
namespace {

// The zero to the last digit, from either side, and the evaluations that it took.
template <class F>
int expect_zero(const F& f, double a, double b, double zero) {
  int count = 0;
  const auto counted = [&](double t) { return ++count, f(t); };
  const ZeroBracket found = bracket_zero(counted, {a, f(a)}, {b, f(b)});
  EXPECT_NEAR(found.recent.t, zero, 4e-16 * std::max(std::abs(zero), 1.0));
  EXPECT_TRUE(found.recent.value == 0 || (found.recent.value < 0) != (found.other.value < 0));
  return count;
}

TEST(ZeroSearch, FindsZerosToTheLastDigit) {
  EXPECT_LE(expect_zero([](double t) { return t - 0.3; }, 0, 1, 0.3), 4);
  EXPECT_LE(expect_zero([](double t) { return std::cos(t); }, 1, 2, M_PI / 2), 10);
  EXPECT_LE(expect_zero([](double t) { return std::cos(t); }, 4, 5, 1.5 * M_PI), 10);  // rising
  EXPECT_LE(expect_zero([](double t) { return std::exp(50 * t) - 1e10; }, 0, 1, std::log(1e10) / 50), 30);
  EXPECT_LE(expect_zero([](double t) { return t < 0.7 ? -1.0 : 1.0; }, 0, 1, 0.7), 60);  // a jump: halving
  expect_zero([](double t) { return std::pow(t - 0.25, 9); }, 0, 1, 0.25);
}

// sin t leaves its zero at 0 and is zero again at pi: not at once.
TEST(ZeroSearch, DoesNotFallBackToAZeroThatItHasLeft) {
  const auto f = [](double t) { return std::sin(t); };
  const ZeroBracket found = bracket_zero(f, {0, 1e-300}, {3.5, f(3.5)}, true);
  EXPECT_NEAR(found.recent.t, M_PI, 1e-15);
}

// The parabola t(f) = 2 + f + 0.05 f^2 through three points: its zero is at 2.
TEST(ZeroSearch, TakesTheParabolaWhereItDoesNotTurnBack) {
  const auto t = [](double f) { return 2 + f + 0.05 * f * f; };
  EXPECT_NEAR(zero_part({t(-1), -1}, {t(1.5), 1.5}, {t(-2), -2}), (2 - t(-1)) / (t(1.5) - t(-1)), 1e-14);
  EXPECT_EQ(zero_part({0, -1}, {1, 1}, {-1e-9, -9}), 0.5);
}

}  // namespace
}  // namespace armature::step
