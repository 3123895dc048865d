#include "study/design.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "study/sobol.hpp"

namespace armature::internal {
namespace {

std::vector<Axis> unit_axes(int count) { return std::vector<Axis>(static_cast<std::size_t>(count), {"x", 0, 1, 0}); }

TEST(Design, GridHasBothEndsAndTheLastAxisRunsFastest) {
  const Points points = grid_points({{"a", 0, 2 * M_PI, 3}, {"b", -3, 3, 2}});
  EXPECT_EQ(points.values, (std::vector<double>{0, -3, 0, 3, M_PI, -3, M_PI, 3, 2 * M_PI, -3, 2 * M_PI, 3}));
}

TEST(Design, LatinHasOnePointInEachSliceOfEveryAxis) {
  const Points points = latin_points({{"a", 0, 1, 0}, {"b", 5, 10, 0}}, 50, 7);
  ASSERT_EQ(points.count(), 50);
  std::set<int> first, second;
  for (long k = 0; k < 50; ++k) {
    first.insert(static_cast<int>(points[k][0] * 50));
    second.insert(static_cast<int>((points[k][1] - 5) / 5 * 50));
  }
  EXPECT_EQ(first.size(), 50u);
  EXPECT_EQ(second.size(), 50u);
}

TEST(Design, SeedsDecideAlone) {
  EXPECT_EQ(latin_points(unit_axes(3), 20, 1).values, latin_points(unit_axes(3), 20, 1).values);
  EXPECT_NE(latin_points(unit_axes(3), 20, 1).values, latin_points(unit_axes(3), 20, 2).values);
  EXPECT_NE(sobol_points(unit_axes(3), 20, 1).values, sobol_points(unit_axes(3), 20, 2).values);
}

// The quantiles of the standard normal distribution by tables; the mean and the deviation of a large sample.
TEST(Design, NormalPointsHaveTheirMeanAndDeviation) {
  Axis axis{"m", -law_ends, law_ends, 0, {Law::Kind::normal, 0, 1}};
  EXPECT_NEAR(axis.quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(axis.quantile(0.975), 1.959963984540054, 1e-7);  // cut off at six deviations
  EXPECT_NEAR(axis.quantile(0.0013498980316300945), -3, 1e-6);
  EXPECT_EQ(axis.quantile(0), -law_ends);
  axis = {"m", 2 - 0.6, 2 + 0.6, 0, {Law::Kind::normal, 2, 0.1}};
  const Points points = sobol_points({axis}, 4096, 1);
  double sum = 0, squares = 0;
  for (const double x : points.values) sum += x, squares += (x - 2) * (x - 2);
  EXPECT_NEAR(sum / 4096, 2, 1e-4);
  EXPECT_NEAR(std::sqrt(squares / 4096), 0.1, 1e-3);
}

// Both tails have all digits: the share above x is the mean of those above the ends.
TEST(Design, NormalPointsOfATailAreSpreadOverIt) {
  const auto above = [](double x) { return std::erfc(x / M_SQRT2); };
  const double wanted = 0.5 * (above(9) + above(10));
  const Axis upper{"m", 9, 10, 0, {Law::Kind::normal, 0, 1}}, lower{"m", -10, -9, 0, {Law::Kind::normal, 0, 1}};
  EXPECT_NEAR(above(upper.quantile(0.5)) / wanted, 1, 1e-10);
  EXPECT_NEAR(above(-lower.quantile(0.5)) / wanted, 1, 1e-10);
}

TEST(Design, LawsAreCutOffAtTheEndsOfTheirAxis) {
  for (const Law& law :
       {Law{Law::Kind::normal, 1, 2}, Law{Law::Kind::lognormal, 1, 2}, Law{Law::Kind::triangular, 0.5, 0}}) {
    const Axis axis{"m", 0.25, 1.5, 0, law};
    const Points points = latin_points({axis}, 1000, 3);
    const auto [least, most] = std::ranges::minmax(points.values);
    EXPECT_GE(least, axis.from) << name_of(law.kind);
    EXPECT_LE(most, axis.to) << name_of(law.kind);
    EXPECT_NEAR(axis.quantile(0), axis.from, 1e-14) << name_of(law.kind);
    EXPECT_NEAR(axis.quantile(1), axis.to, 1e-14) << name_of(law.kind);
  }
}

TEST(Design, LognormalAndTriangularQuantilesAreThoseOfTheirFormulas) {
  const double spread = std::log(2);
  const Axis factor{
      "m", std::exp(-law_ends * spread), std::exp(law_ends * spread), 0, {Law::Kind::lognormal, 1, spread}};
  EXPECT_NEAR(factor.quantile(0.5), 1, 1e-14);
  EXPECT_NEAR(factor.quantile(0.8413447460685429), 2, 1e-7);
  const Axis triangle{"m", 0, 4, 0, {Law::Kind::triangular, 1, 0}};
  EXPECT_DOUBLE_EQ(triangle.quantile(0.25), 1);  // the area to the left of the mode
  EXPECT_DOUBLE_EQ(triangle.quantile(1.0 / 16), 0.5);
  EXPECT_DOUBLE_EQ(triangle.quantile(0.8125), 4 - std::sqrt(0.1875 * 12));
}

// There are phi(2^s - 1)/s primitive polynomials of degree s: 1, 1, 2, 2, 6, 6, 18.
TEST(Sobol, KnowsThePrimitivePolynomials) {
  const int expected[] = {1, 1, 2, 2, 6, 6, 18};
  for (unsigned s = 1; s <= 7; ++s) {
    int count = 0;
    for (std::uint32_t p = 1u << s; p < 2u << s; ++p) count += is_primitive(p);
    EXPECT_EQ(count, expected[s - 1]) << s;
  }
}

TEST(Sobol, FillsEveryAxisEvenly) {
  const Points points = sobol_points(unit_axes(sobol_dimensions), 256, 3);
  for (int d = 0; d < sobol_dimensions; ++d) {
    std::set<int> slices;
    for (long k = 0; k < 256; ++k) slices.insert(static_cast<int>(points[k][d] * 256));
    EXPECT_EQ(slices.size(), 256u) << d;
  }
}

// A (0, 8, 2)-net: every box of area 1/256 with sides that are powers of two holds one point.
TEST(Sobol, FirstTwoAxesAreANet) {
  const Points points = sobol_points(unit_axes(2), 256, 3);
  for (int bits = 0; bits <= 8; ++bits) {
    std::set<std::pair<int, int>> boxes;
    for (long k = 0; k < 256; ++k)
      boxes.emplace(static_cast<int>(points[k][0] * (1 << bits)), static_cast<int>(points[k][1] * (256 >> bits)));
    EXPECT_EQ(boxes.size(), 256u) << bits;
  }
}

}  // namespace
}  // namespace armature::internal
