#include "report/heat_map.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace armature::internal::plot {
namespace {

HeatMap small_map() {
  HeatMap map;
  map.x = {1, 2, 3}, map.y = {10, 20};
  map.values = {1, 1, 5, 2, std::nan(""), 3};
  return map;
}

double width(const Area& area) { return area.corners[1].x - area.corners[0].x; }

TEST(HeatMap, DrawsEveryCellOnceAndNeighborsTogether) {
  HeatMap map = small_map();
  map.classes = {"none", "a", "b", "c", "d", "e"};
  map.marks = {};
  const Drawing drawing = drawing_of(map);
  const std::size_t legend = map.classes.size();
  ASSERT_EQ(drawing.areas.size(), legend + 5);  // two cells of class 1 are one area
  EXPECT_NEAR(width(drawing.areas[legend]), 2 * width(drawing.areas[legend + 1]), 1e-9);
  EXPECT_EQ(drawing.areas[legend].color, drawing.areas[1].color);  // that of its entry in the legend
  EXPECT_EQ(drawing.areas[legend + 3].color, "#d0d0d0");           // nothing is known there
  EXPECT_GT(drawing.areas[legend].corners[0].y, drawing.areas[legend + 2].corners[0].y);  // y grows upwards
}

TEST(HeatMap, ColorsFollowTheValues) {
  HeatMap map;
  for (int k = 0; k < 200; ++k) map.x.push_back(k), map.values.push_back(std::pow(10, k / 100.0));
  map.y = {0, 1};
  map.values.insert(map.values.end(), map.values.begin(), map.values.begin() + 200);
  map.logarithmic = true;
  const Drawing drawing = drawing_of(map);
  EXPECT_EQ(drawing.areas.front().color, "#450054");  // the least is darkest
  EXPECT_THAT(to_svg(drawing), testing::HasSubstr("10¹"));
  EXPECT_THAT(to_svg(drawing), testing::HasSubstr("#fce824"));  // the largest brightest
}

TEST(HeatMap, MarksStayInThePicture) {
  HeatMap map = small_map();
  map.marks = {{{3, 20}, "the best of all"}};
  const Drawing drawing = drawing_of(map);
  for (const Area& area : drawing.areas)
    for (const Point& corner : area.corners) {
      EXPECT_GE(corner.x, 0);
      EXPECT_LE(corner.x, drawing.width);
      EXPECT_LE(corner.y, drawing.height);
    }
}

}  // namespace
}  // namespace armature::internal::plot
