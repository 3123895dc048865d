#include "report/space_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

// Seen along x; y goes to the right, and a meter is 100 points.
Drawing drawn_line(const std::vector<Vector3d>& line) {
  Sketch sketch({{Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX()}, 100, {}, 3});
  draw_space_line(sketch, "rope", line, {"#000000", 1});
  sketch.area(Sketch::machine, "shape", {{0, 0}, {1, 0}, {1, 1}}, "#ffffff", "", 0);  // at x = 0
  Drawing drawing;
  sketch.finish(drawing);
  return drawing;
}

// From behind a body to before it: 1 m along the line of sight and 1 m across, in pieces of 6 points.
TEST(SpaceLine, IsHiddenWhereItIsBehind) {
  const Drawing drawing = drawn_line({{-0.5, 0, 0}, {0.5, 1, 0}});
  int behind = 0, in_front = 0;
  bool over = false;
  for (const plot::Shape& shape : drawing.shapes) {
    if (shape.kind == "shape") over = true;
    if (shape.kind != "rope") continue;
    ++(over ? in_front : behind);
    EXPECT_EQ(shape.points.front().x + shape.points.back().x < 100, !over);  // the rear half is the left one
  }
  EXPECT_EQ(behind, in_front);
  EXPECT_EQ(behind + in_front, 24);  // ceil(100 sqrt(2) / 6)
}

TEST(SpaceLine, IsOnePieceWhereItsPlaceIsNotKnown) {
  EXPECT_EQ(drawn_line({{0, 0, 0}, {0, std::nan(""), 0}}).shapes.size(), 2u);
}

}  // namespace
}  // namespace armature::internal::plot
