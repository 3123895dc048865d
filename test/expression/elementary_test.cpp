// Our own sin, cos, exp and atan2: their error against long double, the same bits for any number of arguments, the C library
// beyond their reach.
#include "expression/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace armature::internal {
namespace {

// Largest |got - want| over the distance of neighbouring doubles at want, for 200000 seeded arguments in [-range, range].
double worst_error(double range, const std::function<double(double)>& got,
                   const std::function<long double(long double)>& want) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> number(-range, range);
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = number(random), exact = static_cast<double>(want(x));
    const double unit = std::abs(std::nextafter(exact, std::numeric_limits<double>::infinity()) - exact);
    worst = std::max(worst, static_cast<double>(std::abs(got(x) - want(x)) / unit));
  }
  return worst;
}

// The bounds are those that elementary.hpp states.
TEST(Elementary, ErrorIsAsStated) {
  const auto sin = [](double x) { return elementary::sin(x); };
  const auto cos = [](double x) { return elementary::cos(x); };
  const auto exp = [](double x) { return elementary::exp(x); };
  const auto sinl = [](long double x) { return std::sin(x); };
  const auto cosl = [](long double x) { return std::cos(x); };
  for (double range : {1.0, 100.0}) {
    EXPECT_LT(worst_error(range, sin, sinl), 1.6);
    EXPECT_LT(worst_error(range, cos, cosl), 1.6);
  }
  EXPECT_LT(worst_error(5e5, sin, sinl), 2.5);
  EXPECT_LT(worst_error(5e5, cos, cosl), 2.5);
  EXPECT_LT(worst_error(700, exp, [](long double x) { return std::exp(x); }), 1.1);
}

TEST(Elementary, ErrorOfAtan2IsAsStated) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  double worst = 0;
  for (int i = 0; i < 400000; ++i) {
    const double y = number(random) * (i % 3 == 0 ? 1e-3 : 1), x = number(random) * (i % 5 == 0 ? 1e-6 : 1);
    const long double want = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    const double unit = std::abs(std::nextafter(static_cast<double>(want), 10) - static_cast<double>(want));
    worst = std::max(worst, static_cast<double>(std::abs(elementary::atan2(y, x) - want) / unit));
  }
  EXPECT_LT(worst, 2.0);
  EXPECT_GT(worst, 0.5);
}

TEST(Elementary, Atan2OfSpecialArguments) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const double values[] = {0.0, -0.0, 1.0, -1.0, 1e-200, -1e200, 5e-324, infinity, -infinity, nan};
  for (const double y : values)
    for (const double x : values) {
      const double got = elementary::atan2(y, x), want = std::atan2(y, x);
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(got)) << y << ", " << x;
      } else {
        EXPECT_NEAR(got, want, 4.5e-16) << y << ", " << x;
        EXPECT_EQ(std::signbit(got), std::signbit(want)) << y << ", " << x;
      }
    }
}

TEST(Elementary, SameBitsOfAtan2AloneAndInAnArray) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-2, 2);
  for (int n = 1; n <= 33; ++n) {
    std::vector<double> x(n), y(n), angle(n);
    for (int i = 0; i < n; ++i) x[i] = number(random), y[i] = number(random);
    if (n % 5 == 0) x[n / 2] = 1e200;  // out of reach
    elementary::atan2(y.data(), x.data(), angle.data(), n);
    for (int i = 0; i < n; ++i) EXPECT_EQ(angle[i], elementary::atan2(y[i], x[i]));
  }
}

TEST(Elementary, SameBitsAloneAndInAnArray) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-20, 20);
  for (int n = 1; n <= 33; ++n) {
    std::vector<double> x(n), s(n), c(n), s2(n), c2(n), e(n);
    for (double& value : x) value = number(random);
    if (n % 5 == 0) x[n / 2] = 1e7;  // one of them out of reach changes nothing for the others
    elementary::sin_cos(x.data(), s.data(), c.data(), n);
    elementary::sin(x.data(), s2.data(), n);
    elementary::cos(x.data(), c2.data(), n);
    elementary::exp(x.data(), e.data(), n);
    for (int i = 0; i < n; ++i) {
      const double alone[] = {elementary::sin(x[i]), elementary::cos(x[i]), elementary::exp(x[i])};
      const double together[] = {s[i], c[i], e[i]};
      EXPECT_EQ(std::memcmp(alone, together, sizeof alone), 0) << n << " arguments, x = " << x[i];
      EXPECT_EQ(s2[i], s[i]);
      EXPECT_EQ(c2[i], c[i]);
    }
  }
}

TEST(Elementary, AsksTheLibraryOutOfReach) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(elementary::sin(1e9), std::sin(1e9));
  EXPECT_EQ(elementary::cos(-3e8), std::cos(-3e8));
  EXPECT_EQ(elementary::exp(-745), std::exp(-745.0));
  EXPECT_EQ(elementary::exp(800), infinity);
  EXPECT_EQ(elementary::exp(-infinity), 0);
  EXPECT_TRUE(std::isnan(elementary::sin(infinity)));
  EXPECT_TRUE(std::isnan(elementary::cos(std::nan(""))));
  EXPECT_TRUE(std::isnan(elementary::exp(std::nan(""))));
  EXPECT_EQ(elementary::sin(0), 0);
  EXPECT_EQ(elementary::cos(0), 1);
  EXPECT_EQ(elementary::exp(0), 1);
}

}  // namespace
}  // namespace armature::internal
