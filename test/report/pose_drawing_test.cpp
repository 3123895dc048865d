// Machines are drawn where their rows say.
#include "report/pose_drawing.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "read/reader.hpp"
#include "record/record_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::plot {
namespace {

constexpr const char* crank = R"(armature: 1
name: crank
plane: xy
gravity: [0, 0, 0]
bodies:
  arm: {mass: 1, center: [1, 0, 0], inertia: {zz: 1}, points: {end: [2, 0, 0]}}
joints:
  theta: {type: revolute, between: [ground, arm]}
)";

class Poses : public testing::Test {
 protected:
  Poses() {
    std::ofstream(folder / "trajectory.csv") << "t [s],theta [rad],arm.end.x [m],arm.end.y [m]\n"
                                             << "0,0,2,0\n"
                                             << "1,1.5707963267948966,0,2\n";
  }
  const Model model = read_model_text(crank);
  TemporaryFolder folder;
};

// The bar of each pose: two points, 2.2 wide; those of the legend are level and 20 long.
std::vector<Line> bars(const Drawing& drawing) {
  std::vector<Line> found;
  for (const Line& line : drawing.lines)
    if (line.stroke.width == 2.2 &&
        std::hypot(line.points[1].x - line.points[0].x, line.points[1].y - line.points[0].y) > 21)
      found.push_back(line);
  return found;
}

// A wheel is drawn as a circle about its axis, as wide as its diameter, a box by its corners.
TEST_F(Poses, ShowTheOutlinesOfShapes) {
  const std::string text(crank);
  for (const auto& [shape, corners] :
       {std::pair{"cylinder: {radius: 2, length: 0.1, axis: z}", 49u}, std::pair{"box: [4, 4, 1]", 5u}}) {
    const Model shaped =
        read_model_text(std::string(text).replace(text.find("points:"), 0, "shape: {" + std::string(shape) + "}, "));
    const Drawing drawing = drawing_of_poses(shaped, folder.path(), {.times = {0}});
    ASSERT_EQ(drawing.areas.size(), 1u);
    const std::vector<Point>& outline = drawing.areas[0].corners;
    EXPECT_EQ(outline.size(), corners);
    const auto [left, right] = std::ranges::minmax_element(outline, {}, &Point::x);
    const std::vector<Line> arm = bars(drawing);  // from the middle to the edge
    ASSERT_EQ(arm.size(), 1u);
    EXPECT_NEAR(right->x - left->x, 2 * std::abs(arm[0].points[1].x - arm[0].points[0].x), 1e-4);
  }
}

TEST_F(Poses, ShowTheMachineAtTheirTimes) {
  const Drawing drawing = drawing_of_poses(model, folder.path(), {.times = {0, 0.9}, .trace = "arm.end"});
  const std::vector<Line> found = bars(drawing);
  ASSERT_EQ(found.size(), 2u);
  const auto length = [](const Line& line) {
    return Point{line.points[1].x - line.points[0].x, line.points[1].y - line.points[0].y};
  };
  const Point level = length(found[0]), upright = length(found[1]);
  EXPECT_GT(level.x, 100);
  EXPECT_NEAR(level.y, 0, 1e-6);
  EXPECT_NEAR(upright.x, 0, 1e-4);
  EXPECT_NEAR(upright.y, -level.x, 1e-4);  // upwards, at the same scale
  EXPECT_THAT(to_svg(drawing), testing::HasSubstr("0.9 s"));
}

TEST_F(Poses, RefuseWhatIsNotRecorded) {
  EXPECT_THROW(drawing_of_poses(model, folder.path(), {.times = {0}, .trace = "arm.tip"}), RecordError);
  EXPECT_THROW(drawing_of_poses(model, folder.path(), {}), RecordError);
}

}  // namespace
}  // namespace armature::internal::plot
