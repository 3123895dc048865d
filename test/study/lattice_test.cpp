#include "study/lattice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace armature::internal {
namespace {

Lattice classified(const std::vector<Axis>& axes, int levels, const std::function<int(const double*)>& class_of) {
  Lattice lattice(axes, levels);
  for (long first = 0; first < lattice.nodes();) {
    const Points points = lattice.points(first);
    std::vector<int> classes;
    for (long k = 0; k < points.count(); ++k) classes.push_back(class_of(points[k]));
    first += points.count();
    lattice.classify(classes);
  }
  return lattice;
}

TEST(Lattice, BeginsAsTheGrid) {
  const std::vector<Axis> axes{{"a", 0, 1, 3}, {"b", 10, 20, 4}};
  const Lattice lattice(axes, 3);
  EXPECT_EQ(lattice.points(0).values, grid_points(axes).values);
}

TEST(Lattice, StaysAsItIsWithoutABoundary) {
  EXPECT_EQ(classified({{"a", 0, 1, 5}, {"b", 0, 1, 5}}, 6, [](const double*) { return 3; }).nodes(), 25);
}

TEST(Lattice, BracketsAPointOnALine) {
  const Lattice lattice = classified({{"a", 0, 3, 31}}, 10, [](const double* x) { return x[0] > 1.28674; });
  EXPECT_EQ(lattice.nodes(), 31 + 10);
  const auto borders = lattice.borders();
  ASSERT_EQ(borders.size(), 1u);
  const Points points = lattice.points(0);
  EXPECT_NEAR(borders[0].gap, 0.1 / 1024, 1e-12);
  EXPECT_LE(points[borders[0].a][0], 1.28674);
  EXPECT_GT(points[borders[0].b][0], 1.28674);
}

// Classes inside and outside of a circle: every crossing of a grid line is bracketed as finely as asked for, at the cost
// of the neighbourhood of the circle.
TEST(Lattice, FollowsACurve) {
  const auto inside = [](const double* x) { return x[0] * x[0] + x[1] * x[1] < 0.5; };
  const int levels = 6;
  const Lattice lattice = classified({{"a", -1, 1, 9}, {"b", -1, 1, 9}}, levels, inside);
  const double finest = 0.25 / 64;
  EXPECT_LT(lattice.nodes(), 8000);  // of 513 x 513
  const Points points = lattice.points(0);
  int at_finest = 0;
  double angle_seen[8] = {};
  for (const auto& [a, b, axis, gap] : lattice.borders()) {
    EXPECT_NE(inside(points[a]), inside(points[b]));
    if (gap > 1.5 * finest) continue;
    ++at_finest;
    const double x = 0.5 * (points[a][0] + points[b][0]), y = 0.5 * (points[a][1] + points[b][1]);
    EXPECT_NEAR(std::hypot(x, y), std::sqrt(0.5), finest);
    angle_seen[static_cast<int>((std::atan2(y, x) / M_PI + 1) * 3.999)] = 1;
  }
  EXPECT_GT(at_finest, 2 * M_PI * std::sqrt(0.5) / finest);  // a curve crosses more lines than its length has steps
  for (double seen : angle_seen) EXPECT_EQ(seen, 1);
}

TEST(Lattice, FindsThePartOfABoundaryThatNoNodeOfTheGridSees) {
  // the tip of a wedge: between two nodes of the grid, seen only from the boxes below
  const auto wedge = [](const double* x) { return std::abs(x[0] - 0.5) < 0.3 * (0.9 - x[1]); };
  const Lattice lattice = classified({{"a", 0, 1, 3}, {"b", 0, 1, 3}}, 5, wedge);
  const Points points = lattice.points(0);
  double highest = 0;
  for (long k = 0; k < lattice.nodes(); ++k)
    if (lattice.classes()[static_cast<std::size_t>(k)]) highest = std::max(highest, points[k][1]);
  EXPECT_NEAR(highest, 0.9, 1.0 / 32);
}

}  // namespace
}  // namespace armature::internal
