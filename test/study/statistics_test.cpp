#include "study/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::internal {
namespace {

TEST(Statistics, OfEvenlySpacedNumbers) {
  std::vector<double> values;
  for (int k = 100; k >= 0; --k) values.push_back(k);
  values.push_back(NAN);  // left out
  const Distribution d = distribution(values);
  EXPECT_EQ(d.count, 101);
  EXPECT_DOUBLE_EQ(d.mean, 50);
  EXPECT_DOUBLE_EQ(d.deviation, std::sqrt(101 * 102 / 12.0));  // n (n + 1)/12
  EXPECT_DOUBLE_EQ(d.least, 0);
  EXPECT_DOUBLE_EQ(d.q05, 5);
  EXPECT_DOUBLE_EQ(d.q25, 25);
  EXPECT_DOUBLE_EQ(d.median, 50);
  EXPECT_DOUBLE_EQ(d.q95, 95);
  EXPECT_DOUBLE_EQ(d.most, 100);
}

std::vector<double> values_of(const Points& points, double (*f)(const double*)) {
  std::vector<double> values;
  for (long k = 0; k < points.count(); ++k) values.push_back(f(points[k]));
  return values;
}

// Of a + 2 b + const the variances are 1 : 4.
double sum(const double* x) { return 3 + x[0] + 2 * x[1]; }

TEST(MainEffects, OfASumAreExactOnAGrid) {
  const Points grid = grid_points({{"a", 0, 1, 7}, {"b", 0, 1, 7}});
  const auto effects = main_effects(grid, values_of(grid, sum), true);
  EXPECT_NEAR(effects[0], 0.2, 1e-12);
  EXPECT_NEAR(effects[1], 0.8, 1e-12);
}

TEST(MainEffects, OfAProductLeaveAnInteraction) {
  // (a - 1/2)(b - 1/2): neither explains anything alone
  const Points grid = grid_points({{"a", 0, 1, 9}, {"b", 0, 1, 9}});
  const auto effects =
      main_effects(grid, values_of(grid, [](const double* x) { return (x[0] - 0.5) * (x[1] - 0.5); }), true);
  EXPECT_NEAR(effects[0], 0, 1e-12);
  EXPECT_NEAR(effects[1], 0, 1e-12);
}

// Ishigami's function sin a + 7 sin^2 b + 0.1 c^4 sin a on (-pi, pi): first-order shares 0.3139, 0.4424, 0
// (Ishigami and Homma 1990, in closed form).
TEST(MainEffects, OfRandomPointsComeNearTheClosedForm) {
  const std::vector<Axis> axes(3, {"x", -M_PI, M_PI, 0});
  const auto ishigami = [](const double* x) {
    return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) + 0.1 * std::pow(x[2], 4) * std::sin(x[0]);
  };
  for (const Points& points : {sobol_points(axes, 8192, 1), latin_points(axes, 8192, 1)}) {
    const auto effects = main_effects(points, values_of(points, ishigami), false);
    // 20 bins smooth sin^2 b over 0.3 rad: 1 - (0.3^2)/3 of its variance is left
    EXPECT_NEAR(effects[0], 0.3139, 0.02);
    EXPECT_NEAR(effects[1], 0.4424, 0.03);
    EXPECT_NEAR(effects[2], 0, 0.01);
  }
}

}  // namespace
}  // namespace armature::internal
