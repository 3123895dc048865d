#include "step/pivots.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace armature::step {
namespace {

struct PivotView {
  const Row<1>*mass_pivots, *pivots, *scales;
};

struct PivotCase {
  Row<1> mass[2] = {{{2}}, {{3}}}, pivots[3] = {{{1}}, {{0.5}}, {{4}}}, scales[3] = {{{1}}, {{2}}, {{5}}};
  PivotView view() const { return {mass, pivots, scales}; }
  bool ratio(double& least) const {
    Row<1> row{};
    const bool positive = pivot_ratios<1>(2, 3, view(), row);
    least = row[0];
    return positive;
  }
  bool is_regular(double least) const { return regular<1>(2, 3, view(), least); }
};

// 1/1, 0.5/2 and 4/5.
TEST(Pivots, TheSmallestOverItsScaleCounts) {
  double least = 0;
  EXPECT_TRUE(PivotCase().ratio(least));
  EXPECT_EQ(least, 0.25);
  EXPECT_TRUE(PivotCase().is_regular(0.25));
  EXPECT_FALSE(PivotCase().is_regular(0.26));
}

TEST(Pivots, MustAllBePositive) {
  double least = 0;
  PivotCase of_mass, of_rows;
  of_mass.mass[1][0] = 0, of_rows.pivots[2][0] = -1e-30;
  EXPECT_FALSE(of_mass.ratio(least));
  EXPECT_FALSE(of_mass.is_regular(0.1));
  EXPECT_FALSE(of_rows.ratio(least));
  EXPECT_FALSE(of_rows.is_regular(-1));
}

TEST(Pivots, MustAllBeFinite) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    PivotCase of_mass, of_rows, of_scales;
    of_mass.mass[0][0] = bad, of_rows.pivots[0][0] = bad, of_scales.scales[0][0] = bad;
    EXPECT_FALSE(of_mass.is_regular(0.1));
    EXPECT_FALSE(of_rows.is_regular(0.1));
    EXPECT_FALSE(of_scales.is_regular(0.1));
  }
}

}  // namespace
}  // namespace armature::step
