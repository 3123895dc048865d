// Machines are drawn where their rows say, with the symbols of what they have.
#include "report/pose_drawing.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <set>

#include "model/request_error.hpp"
#include "read/reader.hpp"
#include "record/record_error.hpp"
#include "report/drawn_motion.hpp"
#include "report/outlines.hpp"
#include "report/text_box.hpp"
#include "support/run_model.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::plot {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::ThrowsMessage;

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
  MotionRows rows() const { return MotionRows(folder.path()); }
  const Model model = read_model_text(crank);
  TemporaryFolder folder;
};

std::vector<const plot::Shape*> shapes_of(const Drawing& drawing, const std::string& kind) {
  std::vector<const plot::Shape*> found;
  for (const plot::Shape& shape : drawing.shapes)
    if (shape.kind == kind) found.push_back(&shape);
  return found;
}

struct Extent {
  double width, height, x, y;  // and its middle
};
Extent extent_of_shape(const plot::Shape& shape) {
  const auto [left, right] = std::ranges::minmax_element(shape.points, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax_element(shape.points, {}, &Point::y);
  return {right->x - left->x, bottom->y - top->y, 0.5 * (left->x + right->x), 0.5 * (top->y + bottom->y)};
}

std::set<std::string> kinds_in(const Drawing& drawing) {
  std::set<std::string> kinds;
  for (const plot::Shape& shape : drawing.shapes) kinds.insert(shape.kind);
  return kinds;
}

// The shipped model at its start.
Drawing drawn(const std::string& name, PoseOptions options = {}) {
  const DrawnMotion motion = motion_of_model(shipped(name), {}, options);
  options.times = times_within(motion.rows, options.times);
  return drawing_of_poses(motion.model, motion.rows, options);
}

// Symbols have sizes of their own: guides, posts, arrows, letters and hatching need room beside the machine.
TEST(PoseDrawing, EverySymbolLiesInThePicture) {
  for (const char* name : {"elements/capstan", "elements/wedge", "lead_screw", "press", "rrr", "biped", "plan/swing_up",
                           "beams/elastica", "elements/sleeve", "crane", "two_joint_arm"})
    for (const double width : {150.0, 454.0}) {
      const Drawing drawing = drawn(name, {.width = width, .height = 0.75 * width, .velocities = true});
      for (const plot::Shape& shape : drawing.shapes)
        for (const Point& at : shape.points) {
          ASSERT_GE(std::min(at.x, at.y), 0) << name << " " << shape.kind;
          ASSERT_LE(at.x, drawing.width) << name << " " << shape.kind;
          ASSERT_LE(at.y, drawing.height) << name << " " << shape.kind;
        }
    }
}

// The base of the screw and the time below it do not touch.
TEST(PoseDrawing, AFilmHasRoomForItsSymbolsAndItsTime) {
  const DrawnMotion motion = motion_of_model(shipped("lead_screw"), {}, {.times = {0, 0.01}});
  const Drawing frame =
      MotionPictures(motion.model, motion.rows, {.times = {0, 0.01}, .width = 300, .height = 240}).at(0);
  for (const plot::Shape& shape : frame.shapes)
    for (const Point& at : shape.points) ASSERT_LE(at.y, frame.height - 12) << shape.kind;
}

// A pin on a support would let it turn.
TEST(PoseDrawing, WhatIsFixedToTheGroundSticksOutOfAWall) {
  const Drawing drawing = drawn("beams/elastica");
  EXPECT_THAT(kinds_in(drawing), Not(Contains("pin")));
  const auto wall = shapes_of(drawing, "ground");
  ASSERT_GT(wall.size(), 3u);
  const Extent line = extent_of_shape(*wall[0]);
  EXPECT_GT(line.height, 10);  // upright: the strip leaves it level
  EXPECT_LT(line.width, 1e-6);
}

// F is on until t = 0.1 s, by a condition in its formula.
TEST(PoseDrawing, AForceWithAConditionIsDrawnWhileItActs) {
  const Drawing drawing = drawn("beams/elastica", {.times = {0, 0.2}});
  double longest = 0;
  for (const plot::Shape* arrow : shapes_of(drawing, "force"))
    longest = std::max(longest, extent_of_shape(*arrow).height);
  EXPECT_GT(longest, 30);
  const DrawnMotion motion = motion_of_model(shipped("beams/elastica"), {}, {.times = {0.2}});
  EXPECT_THAT(shapes_of(drawing_of_poses(motion.model, motion.rows, {.times = {0.2}}), "force"), testing::IsEmpty());
}

// The rack lies above its pinion, and its guide above the rack.
TEST(PoseDrawing, AGuideIsNotOnTheSideOfAPinion) {
  const Drawing drawing = drawn("elements/rack");
  const auto width = [](const plot::Shape* shape) { return extent_of_shape(*shape).width; };
  const std::vector<const plot::Shape*> ground = shapes_of(drawing, "ground");
  const Extent guide = extent_of_shape(**std::ranges::max_element(ground, {}, width));
  EXPECT_LT(guide.y, extent_of_shape(*shapes_of(drawing, "rack").at(0)).y);  // y points down
}

// The hook is at the upper edge of the load, and the shoe of its brake above it: the guide reaches past both by the same little at either end.
TEST(PoseDrawing, AGuideEndsWhereTheSliderDoes) {
  const Drawing drawing = drawn("elements/capstan");
  const auto first = [&](const std::string& kind) { return extent_of_shape(*shapes_of(drawing, kind).at(0)); };
  const Extent load = first("shape"), shoe = first("brake"), guide = first("ground");
  const double top = shoe.y - 0.5 * shoe.height, bottom = load.y + 0.5 * load.height;
  EXPECT_NEAR(guide.y, 0.5 * (top + bottom), 1);
  EXPECT_GT(guide.height, bottom - top);
  EXPECT_LT(guide.height, 1.1 * (bottom - top));
}

// A bar is as long as the distance of its joints and two half widths; the pose between two rows is between them.
TEST_F(Poses, ShowTheMachineAtTheirTimes) {
  const Drawing drawing = drawing_of_poses(model, rows(), {.times = {0, 1, 0.5}});
  const auto bars = shapes_of(drawing, "link");
  ASSERT_EQ(bars.size(), 3u);
  const Extent level = extent_of_shape(*bars[0]), upright = extent_of_shape(*bars[1]),
               slanted = extent_of_shape(*bars[2]);
  EXPECT_GT(level.width, 100);
  EXPECT_NEAR(upright.height, level.width, 1e-3);  // at the same scale
  EXPECT_NEAR(upright.width, level.height, 1e-3);
  EXPECT_LT(upright.y, level.y);  // upwards
  const double length = level.width - level.height;
  EXPECT_NEAR(slanted.width - level.height, length * std::sqrt(0.5), 0.1);
  EXPECT_THAT(to_svg(drawing), HasSubstr(">0.5 s</text>"));
}

// Of one pose bodies have their own colors, and no legend is needed.
TEST_F(Poses, OfOneTimeHaveNoLegend) {
  const Drawing one = drawing_of_poses(model, rows(), {.times = {1}});
  EXPECT_THAT(to_svg(one), Not(HasSubstr("</text>")));
  EXPECT_NE(shapes_of(one, "link")[0]->fill,
            shapes_of(drawing_of_poses(model, rows(), {.times = {1, 0}}), "link")[0]->fill);
}

// A wheel is drawn as a circle about its axis, a box by its corners.
TEST_F(Poses, ShowGivenShapes) {
  const std::string text(crank);
  for (const auto& shape : {"cylinder: {radius: 2, length: 0.1, axis: z}", "box: [4, 4, 1]"}) {
    const Model shaped =
        read_model_text(std::string(text).replace(text.find("points:"), 0, "shape: {" + std::string(shape) + "}, "));
    const Drawing drawing = drawing_of_poses(shaped, rows(), {.times = {0}, .traces = {"arm.end"}});
    const auto found = shapes_of(drawing, "shape");
    ASSERT_FALSE(found.empty());
    const Extent drawn = extent_of_shape(*found.back()), path = extent_of_shape(*shapes_of(drawing, "trace")[0]);
    EXPECT_NEAR(drawn.width, 2 * path.width, 1e-2);  // the path is a quarter of a circle of the same radius
    EXPECT_NEAR(drawn.height, drawn.width, 1e-2);
  }
}

TEST_F(Poses, RefuseWhatDoesNotExist) {
  EXPECT_THAT([&] { drawing_of_poses(model, rows(), {.times = {0}, .traces = {"arm.emd"}}); },
              ThrowsMessage<RecordError>(HasSubstr("there is no point 'arm.emd' (did you mean 'arm.end'?)")));
  EXPECT_THROW(drawing_of_poses(model, rows(), {}), RecordError);
  EXPECT_THAT([&] { drawing_of_poses(model, rows(), {.times = {0}, .view = "back"}); },
              ThrowsMessage<RequestError>("there is no view 'back'; expected front, top, side or iso"));
  EXPECT_THAT([&] { drawing_of_poses(model, rows(), {.times = {0}, .reactions = true}); },
              ThrowsMessage<RecordError>(HasSubstr("has no reactions")));
  EXPECT_THAT(
      [&] {
        times_within(rows(), {0.5, 1.1});
      },
      ThrowsMessage<RequestError>(HasSubstr("there is nothing at 1.1 s")));
}

// A model that has a thing is drawn with its symbol.
TEST(Symbols, AreThoseOfTheElements) {
  const std::pair<std::string, std::set<std::string>> expected[] = {
      {"slider_crank", {"link", "pin", "ground", "slider", "motor"}},
      {"squeezer", {"link", "spring", "effort"}},
      {"crane", {"shape", "slider", "motor", "damper"}},
      {"delta", {"link", "pin", "motor", "ground"}},
      {"stewart", {"slider", "spring", "ground"}},
      {"five_bar", {"beam", "motor"}},
      {"flexible_slider_crank", {"beam", "slider", "motor"}},
      {"lead_screw", {"screw", "shape", "effort"}},
      {"rrr_lagrangian", {"link", "pin"}},
      {"elements/gear_pair", {"gear", "shape", "spoke", "effort"}},
      {"elements/planetary", {"gear"}},
      {"elements/belt", {"belt", "shape"}},
      {"elements/chain", {"belt", "rack"}},
      {"elements/rack", {"rack", "gear", "effort"}},
      {"elements/rope", {"rope", "pulley", "prescribed"}},
      {"elements/cam", {"spring", "prescribed", "cam"}},
      {"elements/geneva", {"prescribed", "geneva", "pin"}},
      {"elements/gas_spring", {"gas_spring"}},
      {"elements/bushing", {"bushing"}},
      {"elements/power_screw", {"screw"}},
      {"elements/screw_joint", {"screw"}},
      {"elements/torsion_bar", {"shaft"}},
      {"machines/wishbone", {"spring", "damper", "rod"}},
      {"drives/hydraulic_cylinder", {"cylinder", "damper", "guide"}},
      {"elements/brake", {"brake"}},
      {"elements/clutch", {"clutch", "shaft"}},
      {"elements/freewheel", {"clutch", "effort"}},
      {"elements/worm", {"screw", "gear"}},
  };
  for (const auto& [name, kinds] : expected) EXPECT_THAT(kinds_in(drawn(name)), IsSupersetOf(kinds)) << name;
}

constexpr const char* elements = R"(armature: 1
name: elements
plane: xy
gravity: [0, -9.81, 0]
bodies:
  arm: {mass: 1, center: [1, 0, 0], inertia: {zz: 1}, points: {end: [2, 0, 0]}}
  block: {mass: 1}
joints:
  theta: {type: revolute, between: [ground, arm], spring: {stiffness: 3}, damping: 1}
  slide: {type: prismatic, axis: x, between: ["ground [0, -1, 0]", block], limits: {lower: -1 m, upper: 2 m, stiffness: 1e4}}
forces:
  damper: {type: spring, between: [arm.end, block], damping: 3 N*s/m}
  push: {type: force, on: arm.end, is: [0, -10 N, 0]}
  twist: {type: torque, on: arm, is: [0, 0, 2 N*m]}
)";

TEST(Symbols, OfSpringsDampersStopsAndLoads) {
  const DrawnMotion motion = motion_of_model(read_model_text(elements), {}, {});
  const Drawing drawing = drawing_of_poses(motion.model, motion.rows, {.times = {0}});
  EXPECT_THAT(kinds_in(drawing), IsSupersetOf({"torsion_spring", "damper", "force", "torque", "ground", "stop"}));
  const Extent force = extent_of_shape(*shapes_of(drawing, "force")[0]);
  EXPECT_NEAR(force.width, 0, 1e-6);  // straight down
  EXPECT_GT(force.height, 20);
}

// A damper is drawn where the file has a damping, with a spring or without: about a revolute joint, behind a slider.
TEST(Symbols, OfDampersAlone) {
  const auto drawn_with = [](const std::string& joint) {
    std::string text(crank);
    text.replace(text.find("{type: revolute, between: [ground, arm]}"), 40, joint);
    const DrawnMotion motion = motion_of_model(read_model_text(text), {}, {});
    return drawing_of_poses(motion.model, motion.rows, {.times = {0}});
  };
  EXPECT_TRUE(shapes_of(drawn_with("{type: revolute, between: [ground, arm]}"), "damper").empty());
  const Drawing turning = drawn_with("{type: revolute, between: [ground, arm], damping: 1}");
  const Extent pin = extent_of_shape(*shapes_of(turning, "pin")[0]);
  ASSERT_FALSE(shapes_of(turning, "damper").empty());
  for (const plot::Shape* shape : shapes_of(turning, "damper")) {
    const Extent part = extent_of_shape(*shape);
    EXPECT_LT(std::hypot(part.x - pin.x, part.y - pin.y), 4 * pin.width);  // beside its joint
  }
  const Drawing sliding = drawn_with("{type: prismatic, axis: x, between: [ground, arm], damping: 1}");
  ASSERT_FALSE(shapes_of(sliding, "damper").empty());
  EXPECT_LT(extent_of_shape(*shapes_of(sliding, "damper")[0]).x, extent_of_shape(*shapes_of(sliding, "slider")[0]).x);
}

// The end stops of a revolute joint: bars across the ways of the arm, whichever body the file names first and wherever the joint is zero.
TEST(Symbols, OfEndStopsOfTurningJoints) {
  for (const char* joint : {"between: [ground, arm], limits: {lower: -90 deg, upper: 0 deg, stiffness: 1e4}",
                            "between: [arm, ground], limits: {lower: 0 deg, upper: 90 deg, stiffness: 1e4}",
                            "axis: z, turned: {angle: 90 deg, axis: z}, between: [ground, arm], limits: {lower: -180 "
                            "deg, upper: -90 deg, stiffness: 1e4}"}) {
    std::string text(crank);
    text.replace(text.find("between:"), std::string("between: [ground, arm]").size(), joint);
    const DrawnMotion motion = motion_of_model(read_model_text(text), {}, {});
    const Drawing drawing = drawing_of_poses(motion.model, motion.rows, {.times = {0}});
    const auto stops = shapes_of(drawing, "stop");
    ASSERT_GT(stops.size(), 4u) << joint;
    // the longest lines are the bars: one along x above the arm, one along -y beside it
    std::vector<Extent> bars;
    for (const plot::Shape* shape : stops)
      if (const Extent extent = extent_of_shape(*shape); std::min(extent.width, extent.height) < 1e-6)
        bars.push_back(extent);
    ASSERT_EQ(bars.size(), 2u) << joint;
    std::ranges::sort(bars, {}, &Extent::height);
    const Point pin = {extent_of_shape(*shapes_of(drawing, "pin")[0]).x,
                       extent_of_shape(*shapes_of(drawing, "pin")[0]).y};
    EXPECT_GT(bars[0].x, pin.x + 1) << joint;  // upper: the arm along x, the bar above it
    EXPECT_LT(bars[0].y, pin.y) << joint;
    EXPECT_GT(bars[1].y, pin.y + 1) << joint;  // lower: the arm hangs down, the bar to its left
    EXPECT_LT(bars[1].x, pin.x) << joint;
  }
  EXPECT_THAT(kinds_in(drawn("contact/four_bar_stop")), Contains("stop"));
  EXPECT_THAT(kinds_in(drawn("plan/swing_up")), Contains("stop"));
}

// Together, in points: left, right, top and bottom.
std::array<double, 4> room_of(const Drawing& drawing, const std::string& kind) {
  std::array<double, 4> room{1e9, -1e9, 1e9, -1e9};
  for (const plot::Shape* shape : shapes_of(drawing, kind))
    for (const Point& point : shape->points)
      room = {std::min(room[0], point.x), std::max(room[1], point.x), std::min(room[2], point.y),
              std::max(room[3], point.y)};
  return room;
}

// The return spring of a cam's follower would lie over the cam: its post is on the other side.
TEST(Symbols, OfASpringThatACamWouldHide) {
  for (const char* name : {"elements/cam", "contact/cam_roller"}) {
    const Drawing drawing = drawn(name);
    EXPECT_LT(room_of(drawing, "spring")[3], room_of(drawing, "cam")[2]) << name;
    EXPECT_LT(room_of(drawing, "ground")[2], room_of(drawing, "spring")[2] + 1) << name;  // which holds it
  }
  const Drawing crane = drawn("crane");  // its damper stays behind the cart
  EXPECT_LT(room_of(crane, "damper")[1], room_of(crane, "shape")[1]);
}

// Contacts with the ground are hatched, also those whose gap is a formula.
TEST(Symbols, OfPlanesOnTheGround) {
  for (const char* name :
       {"contact/bouncing_ball", "contact/rod_on_plane", "contact/block_on_incline", "contact/beam_on_supports"}) {
    const Drawing drawing = drawn(name);
    const auto ground = shapes_of(drawing, "ground");
    ASSERT_GT(ground.size(), 3u) << name;
    const double plane = ground[0]->points[0].y;
    for (const plot::Shape* stroke : ground) EXPECT_GE(stroke->points[1].y, plane - 1e-6) << name;  // below the plane
    EXPECT_LE(room_of(drawing, "shape")[2], plane) << name;
  }
  EXPECT_THAT(kinds_in(drawn("contact/ball_at_rest")), Contains("stop"));
  // one plane under the feet of a body, which stand apart at a single pose; two walls for four contacts
  for (const auto& [name, planes] :
       {std::pair("contact/block_on_incline", 1), {"contact/slider_impacts", 2}, {"contact/slider_clearance", 2}}) {
    const Drawing drawing = drawn(name);
    int lines = 0;
    for (const plot::Shape* shape : shapes_of(drawing, "ground"))
      lines += extent_of_shape(*shape).height < 1e-6 && extent_of_shape(*shape).width > 50;
    EXPECT_EQ(lines, planes) << name;
  }
}

// Its arrow is lettered; so is that of a slider in a plane.
TEST(Symbols, OfAMotorOnASliderHaveALetter) {
  for (const char* name : {"drives/servo", "plan/swing_up"}) {
    const Drawing drawing = drawn(name);
    ASSERT_EQ(drawing.texts.size(), 1u) << name;
    EXPECT_EQ(drawing.texts[0].text, "M");
    const auto arrow = room_of(drawing, "motor");
    EXPECT_GT(drawing.texts[0].at.x, arrow[0]) << name;
    EXPECT_LT(drawing.texts[0].at.x, arrow[1]) << name;
    const Drawing poses = drawn(name, {.times = {0, 0.3, 0.6}});
    EXPECT_EQ(std::ranges::count(poses.texts, "M", &Text::text), 1) << name;  // of several poses the first
  }
}

constexpr const char* held_slider = R"(armature: 1
name: buffer
gravity: [0, 0, -9.81]
bodies:
  block: {mass: 1, shape: {box: [0.2, 0.2, 0.2]}}
joints:
  x: {type: prismatic, axis: x, between: [ground, block], spring: {stiffness: 40}, damping: 1}
start: {keep: {x: 0.3}}
simulate: {end: 1 s}
)";

// Lines join the ends of a spring and damper that lie side by side: at the wall and at the block, in a plane and in space.
TEST(Symbols, OfSpringAndDamperAreJoined) {
  for (const std::string plane : {"", "plane: xz\n"}) {
    const DrawnMotion motion = motion_of_model(read_model_text(held_slider + plane), {}, {});
    const Drawing drawing = drawing_of_poses(motion.model, motion.rows, {.times = {0}});
    const Extent coil = extent_of_shape(*shapes_of(drawing, "spring")[0]),
                 cup = extent_of_shape(*shapes_of(drawing, "damper")[1]);
    int joining = 0;
    for (const plot::Shape* line : shapes_of(drawing, "spring"))
      joining += line->points.size() == 2 &&
                 std::abs(extent_of_shape(*line).height - std::abs(coil.y - cup.y)) < 0.1 * coil.height;
    EXPECT_EQ(joining, 2) << plane;
  }
}

// The block meets its end stops at -0.2 m and 0.5 m; where it stands, at 0.5 m, its front touches the upper one. From every side.
TEST(Symbols, OfEndStopsOfSliders) {
  for (const std::string plane : {"", "plane: xz\n"})
    for (const char* view : {"front", "iso"}) {
      std::string text = held_slider + plane;
      text.replace(text.find("spring: {stiffness: 40}"), 23, "limits: {lower: -0.2 m, upper: 0.5 m, stiffness: 1e6}");
      text.replace(text.find("{x: 0.3}"), 8, "{x: 0.5}");
      const DrawnMotion motion = motion_of_model(read_model_text(text), {}, {});
      const Drawing drawing = drawing_of_poses(motion.model, motion.rows, {.times = {0}, .view = view});
      std::vector<Extent> bars;
      for (const plot::Shape* line : shapes_of(drawing, "stop"))
        if (line->stroke.width > 1.5 * shapes_of(drawing, "stop").back()->stroke.width)
          bars.push_back(extent_of_shape(*line));
      ASSERT_EQ(bars.size(), 2u) << view;
      const auto block = room_of(drawing, "shape");
      EXPECT_LT(bars[0].x, block[0]) << view;
      EXPECT_LT(bars[0].x, bars[1].x) << view;
      if (view == std::string("front"))
        EXPECT_NEAR((bars[1].x - bars[0].x) / (block[1] - block[0]), (0.7 + 0.2) / 0.2, 0.1) << plane;
    }
}

// A damper that begins at the ground belongs to the first of several poses, unless a spring beside it is drawn in each.
TEST(Symbols, OfDampersOnTheGroundAreDrawnOnce) {
  for (const std::string plane : {"", "plane: xz\n"}) {
    std::string text = held_slider + plane;
    text.replace(text.find("spring: {stiffness: 40}, "), 25, "");
    const DrawnMotion motion = motion_of_model(read_model_text(text), {}, {.times = {0, 1}});
    const auto count = [&](const std::vector<double>& times, const std::string& kind) {
      return shapes_of(drawing_of_poses(motion.model, motion.rows, {.times = times}), kind).size();
    };
    EXPECT_GT(count({0}, "damper"), 0u) << plane;
    EXPECT_EQ(count({0, 1}, "damper"), count({0}, "damper")) << plane;
    EXPECT_EQ(count({0, 1}, "guide"), count({0}, "guide")) << plane;
  }
}

// What goes around a shape in space: its back is hidden, its front is not. The thread of a worm, a belt on its wheels.
TEST(Symbols, OfThreadsAndBeltsGoAroundShapes) {
  for (const auto& [name, kind] :
       {std::pair("elements/worm", "screw"), {"elements/belt", "belt"}, {"lead_screw", "screw"}}) {
    const Drawing drawing = drawn(name, {.times = {}, .view = "iso"});
    const auto is = [](const std::string& wanted) {
      return [wanted](const plot::Shape& shape) { return shape.kind == wanted; };
    };
    const auto back = std::ranges::find_if(drawing.shapes, is(kind));
    const auto front = std::find_if(drawing.shapes.rbegin(), drawing.shapes.rend(), is(kind)).base();
    ASSERT_LT(back, front) << name;
    EXPECT_TRUE(std::any_of(back, front, is("shape"))) << name << ": nothing is between its back and its front";
  }
}

// A shaft begins where it comes out of the wheel, in front of the face that the reader sees.
TEST(Symbols, OfShaftsBeginOutsideOfShapes) {
  const Drawing drawing = drawn("elements/torsion_bar", {.times = {}, .view = "front"});
  const auto shaft = room_of(drawing, "shaft");
  for (const plot::Shape* shape : shapes_of(drawing, "shape")) {
    const Extent wheel = extent_of_shape(*shape);
    EXPECT_TRUE(wheel.x + 0.5 * wheel.width < shaft[0] + 1 || wheel.x - 0.5 * wheel.width > shaft[1] - 1);
  }
}

// The wheel of a freewheel hides the middle of its shaft: the plates are seen all the same.
TEST(Symbols, OfAClutchAreOverAllShapes) {
  for (const char* name : {"elements/clutch", "elements/freewheel"}) {
    const Drawing drawing = drawn(name, {.times = {}, .view = "iso"});
    const auto is = [](const char* kind) { return [kind](const plot::Shape& shape) { return shape.kind == kind; }; };
    const auto plate = std::ranges::find_if(drawing.shapes, is("clutch"));
    ASSERT_NE(plate, drawing.shapes.end()) << name;
    EXPECT_TRUE(std::none_of(plate, drawing.shapes.end(), is("shape"))) << name;
  }
}

// In space shapes do not hide what moves and carries them: shafts and their motors come out of wheels, rails lie on the edge of a box.
TEST(Symbols, OfBodiesWithShapesAreOutsideOfThem) {
  const auto rank = [](const Drawing& drawing, const std::string& kind) {
    std::size_t last = 0;
    for (std::size_t k = 0; k < drawing.shapes.size(); ++k)
      if (drawing.shapes[k].kind == kind) last = k;
    return last;
  };
  for (const char* name : {"drives/pmsm", "drives/brushless", "elements/bearing"}) {
    const Drawing drawing = drawn(name);
    EXPECT_GT(rank(drawing, "pin"), rank(drawing, "shape")) << name;
    EXPECT_GT(rank(drawing, "ground"), rank(drawing, "shape")) << name;
  }
  EXPECT_GT(rank(drawn("drives/pmsm"), "motor"), rank(drawn("drives/pmsm"), "shape"));
  const Drawing servo = drawn("drives/servo");
  EXPECT_LT(room_of(servo, "guide")[0], room_of(servo, "shape")[0]);  // its foot is beside the box
  EXPECT_LT(room_of(drawn("drives/hydraulic_cylinder"), "damper")[0],
            room_of(drawn("drives/hydraulic_cylinder"), "shape")[0]);
}

// A carrier has arms, between which its wheels are seen; the plate of a robot stays a plate.
TEST(Symbols, OfACarrierAreArms) {
  EXPECT_EQ(shapes_of(drawn("elements/planetary"), "link").size(), 6u);  // three, with their edges
  EXPECT_EQ(shapes_of(drawn("rrr"), "link").size(), 7u);
}

// A crank reaches to the pin that touches a slot.
TEST(Symbols, OfWhatTouches) {
  const Drawing drawing = drawn("contact/slotted_lever");
  const Extent crank = extent_of_shape(*shapes_of(drawing, "link")[0]),
               lever = extent_of_shape(*shapes_of(drawing, "link")[1]);
  EXPECT_NEAR(crank.x + 0.5 * crank.width, lever.x, 0.1 * lever.width);
}

// Joints at one place have one damper, and symbols get smaller where joints are near each other.
TEST(Symbols, OfCrowdedJointsAreSmall) {
  const auto size_of = [](const Drawing& drawing) {
    const Extent extent = extent_of_shape(*shapes_of(drawing, "torsion_spring")[0]);
    return std::max(extent.width, extent.height) / std::max(1.0, extent_of_shape(*shapes_of(drawing, "pin")[0]).height);
  };
  const auto arms = [](const std::string& length) {
    const std::string text = R"(armature: 1
name: arms
plane: xy
gravity: [0, 0, 0]
bodies:
  first: {mass: 1, inertia: {zz: 1}, points: {end: [2, 0, 0]}}
  second: {mass: 1, inertia: {zz: 1}, points: {end: [2, 0, 0]}}
joints:
  a: {type: revolute, between: [ground, first], spring: {stiffness: 1}, damping: 1}
  b: {type: revolute, between: ["first [)" +
                             length + R"(, 0, 0]", second], damping: 1}
)";
    const DrawnMotion motion = motion_of_model(read_model_text(text), {}, {});
    return drawing_of_poses(motion.model, motion.rows, {.times = {0}});
  };
  EXPECT_LT(size_of(arms("0.1")), 0.8 * size_of(arms("2")));
  EXPECT_EQ(shapes_of(arms("2"), "damper").size(), 6u);
  EXPECT_EQ(shapes_of(arms("0"), "damper").size(), 3u);
}

// What sits on a slider stands side by side: spring, damper and the cylinder that pushes.
TEST(Symbols, OfACylinderOnASlider) {
  const std::string text = R"(armature: 1
name: press
plane: xy
gravity: [0, 0, 0]
bodies:
  ram: {mass: 400 kg, shape: {box: [0.3, 0.2, 0.2]}}
joints:
  x: {type: prismatic, axis: x, between: [ground, ram], spring: {stiffness: 10}, damping: 500 N*s/m}
drives:
  press: {type: hydraulic_cylinder, on: x, valve: 0, bore: 50 mm, rod: 30 mm, stroke: 0.4 m, dead_volume: 40e-6 m^3, bulk_modulus: 1.2e9 Pa,
          rated_flow: 0.5e-3 m^3/s, leakage: 2e-12 m^3/s/Pa, pump: {flow: 0.4e-3 m^3/s, relief_pressure: 160 bar, volume: 1e-3 m^3}}
start: {keep: {press.pressure_a: 60 bar, press.pressure_b: 93.75 bar}}
)";
  const DrawnMotion motion = motion_of_model(read_model_text(text), {}, {});
  const Drawing drawing = drawing_of_poses(motion.model, motion.rows, {.times = {0}});
  const auto [damper, cylinder, shape] =
      std::array{room_of(drawing, "damper"), room_of(drawing, "cylinder"), room_of(drawing, "shape")};
  EXPECT_TRUE(damper[3] < cylinder[2] || cylinder[3] < damper[2]);  // one above the other
  EXPECT_LE(cylinder[1], shape[0] + 1);                             // behind the ram
  EXPECT_TRUE(shapes_of(drawing, "motor").empty());
}

// Pitch circles touch, and their radii are as the numbers of teeth.
TEST(Symbols, GearsTouch) {
  const Drawing pair = drawn("elements/gear_pair");
  const auto wheels = shapes_of(pair, "gear");
  ASSERT_EQ(wheels.size(), 2u);
  const Extent pinion = extent_of_shape(*wheels[0]), wheel = extent_of_shape(*wheels[1]);
  EXPECT_NEAR(wheel.width, 3 * pinion.width, 0.05);
  EXPECT_NEAR(wheel.x - pinion.x, 0.5 * (wheel.width + pinion.width), 0.05);
  // three planets of 24 teeth between a sun of 24 and a ring of 72
  std::multiset<int> widths;
  const Drawing planetary = drawn("elements/planetary");
  double least = 1e9;
  for (const auto* each : shapes_of(planetary, "gear")) least = std::min(least, extent_of_shape(*each).width);
  for (const auto* each : shapes_of(planetary, "gear"))
    widths.insert(static_cast<int>(std::lround(extent_of_shape(*each).width / least)));
  EXPECT_EQ(widths.count(1), 9u);  // sun and planet thrice, planet again thrice with the ring
  EXPECT_EQ(widths.count(3), 3u);
}

// Lengths of the file: l1 = 0.2 m, l2 = 0.5 m; three equal cranks are dimensioned once.
TEST(Dimensions, AreThoseOfTheModel) {
  const std::string svg = to_svg(drawn("slider_crank", {.times = {}, .dimensions = true}));
  EXPECT_THAT(svg, HasSubstr(">200 mm</text>"));
  EXPECT_THAT(svg, HasSubstr(">500 mm</text>"));
  const std::string robot = to_svg(drawn("rrr", {.times = {}, .dimensions = true}));
  const auto first = robot.find(">581 mm</text>");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(robot.find(">581 mm</text>", first + 1), std::string::npos);
  EXPECT_THAT(robot, HasSubstr(">1.2 m</text>"));  // of the base
}

// The slider of a slider-crank is a block on a guide from every side; its guide does not reach back to the crank, where its joint is zero.
TEST(Views, OfAPlanarMachineShowTheSameSymbols) {
  for (const char* view : {"front", "iso"}) {
    const Drawing drawing = drawn("slider_crank", {.times = {}, .view = view});
    const Extent pin = extent_of_shape(*shapes_of(drawing, "pin")[0]),
                 slider = extent_of_shape(*shapes_of(drawing, "slider")[0]);
    EXPECT_LT(slider.width, 4 * pin.width) << view;
  }
}

// The pins of a gear pair come out of its wheels, which would hide them.
TEST(Views, OfAPlanarMachineShowPinsOutsideOfShapes) {
  const auto last = [](const Drawing& drawing, const std::string& kind) {
    const auto found = std::ranges::find(drawing.shapes.rbegin(), drawing.shapes.rend(), kind, &plot::Shape::kind);
    return drawing.shapes.rend() - found;
  };
  const Drawing drawing = drawn("elements/gear_pair", {.times = {}, .view = "iso"});
  EXPECT_GT(last(drawing, "pin"), last(drawing, "shape"));
}

// A text is read where no other text and no dimension line lies; so also in space, and beside names and the letters of motors.
TEST(Dimensions, AreReadable) {
  for (const char* name :
       {"press", "squeezer", "machines/shaper", "rrr_motors", "two_joint_arm", "n_four_bar", "delta"})
    for (const bool names : {false, true}) {
      const Drawing drawing = drawn(name, {.times = {}, .dimensions = true, .names = names});
      std::vector<std::vector<Point>> lines;
      for (const plot::Shape* line : shapes_of(drawing, "dimension"))
        if (line->stroke.width == 0.5)
          lines.push_back(rectangle(0.5 * (line->points[0] + line->points[1]),
                                    unit_of(line->points[1] - line->points[0]),
                                    0.5 * length_of(line->points[1] - line->points[0]), 0.1));
      ASSERT_FALSE(lines.empty()) << name;
      for (const Text& text : drawing.texts) {
        if (!std::isdigit(static_cast<unsigned char>(text.text[0]))) continue;
        EXPECT_TRUE(std::ranges::none_of(lines, [&](const auto& line) { return overlap(line, box_of(text)); }))
            << name << " " << text.text;
        for (const Text& other : drawing.texts)
          EXPECT_TRUE(&other == &text || !overlap(box_of(text), box_of(other)))
              << name << " " << text.text << " " << other.text;
      }
      for (std::size_t i = 0; i < lines.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const Point u = unit_of(lines[i][1] - lines[i][0]), v = unit_of(lines[j][1] - lines[j][0]);
          EXPECT_TRUE(std::abs(u.x * v.y - u.y * v.x) > 0.1 || !overlap(lines[i], lines[j])) << name;
        }
    }
}

// A name covers neither another name, nor the letter of a motor, nor a center of mass.
TEST(Names, AreReadable) {
  for (const char* name :
       {"squeezer", "slider_crank", "elements/planetary", "rrr_motors", "delta", "machines/shaper"}) {
    const Drawing drawing = drawn(name, {.times = {}, .names = true, .centers = true});
    ASSERT_GT(drawing.texts.size(), 4u) << name;
    for (std::size_t i = 0; i < drawing.texts.size(); ++i) {
      const std::vector<Point> box = box_of(drawing.texts[i]);
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(box, box_of(drawing.texts[j])))
            << name << " " << drawing.texts[i].text << " " << drawing.texts[j].text;
      for (const plot::Shape* center : shapes_of(drawing, "center"))
        EXPECT_FALSE(overlap(box, convex_outline(center->points))) << name << " " << drawing.texts[i].text;
    }
  }
}

// In a film each name keeps its place beside what it belongs to.
TEST(Names, DoNotJumpWhileTheMachineMoves) {
  const PoseOptions options{.times = {0, 0.5}, .names = true};
  const DrawnMotion motion = motion_of_model(shipped("slider_crank"), {}, options);
  const MotionPictures film(motion.model, motion.rows, options);
  for (const double t : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}) {
    const Drawing frame = film.at(t);
    const auto knee = std::ranges::find(frame.texts, "knee", &Text::text),
               pin = std::ranges::find(frame.texts, "pin", &Text::text);
    ASSERT_NE(knee, frame.texts.end());
    std::vector<Extent> pins;
    for (const plot::Shape* shape : shapes_of(frame, "pin")) pins.push_back(extent_of_shape(*shape));
    for (const auto& label : {knee, pin})
      EXPECT_TRUE(std::ranges::any_of(pins, [&](const Extent& each) {
        return std::abs(each.x - label->at.x) < 0.01 && label->at.y < each.y;
      })) << t;
  }
}

// The platform of the delta robot stays level: seen from the front and from the side it is a line, from the top a polygon.
TEST(Views, AreSeenFromTheirSides) {
  const auto platform = [](const std::string& view) {
    const Drawing drawing = drawn("delta", {.times = {}, .view = view});
    double area = 0;
    for (const auto* link : shapes_of(drawing, "link")) {
      if (link->points.size() < 40) continue;  // bars have fewer corners than the rounded plate
      const Extent extent = extent_of_shape(*link);
      area = std::max(area, std::min(extent.width, extent.height));
    }
    return area;
  };
  EXPECT_LT(platform("front"), 20);
  EXPECT_LT(platform("side"), 20);
  EXPECT_GT(platform("top"), 40);
  EXPECT_EQ(platform(""), platform("iso"));
}

// A pendulum that swings: the arrow of its velocity is across the bar, that of its reaction along it.
TEST(Arrows, ShowVelocitiesAndReactions) {
  const Model pendulum = read_model_text(R"(armature: 1
name: pendulum
plane: xy
gravity: [0, -9.81, 0]
bodies:
  bar: {mass: 1, center: [1, 0, 0], inertia: {zz: 0}, points: {end: [1, 0, 0]}}
joints:
  theta: {type: revolute, between: [ground, bar]}
start: {keep: {theta: -90 deg}, speed: {theta: 2}}
simulate: {end: 1 s}
)");
  const PoseOptions options{.times = {0}, .centers = true, .velocities = true, .reactions = true};
  const DrawnMotion motion = motion_of_model(pendulum, {}, options);
  const Drawing drawing = drawing_of_poses(motion.model, motion.rows, options);
  EXPECT_THAT(kinds_in(drawing), IsSupersetOf({"velocity", "reaction", "center"}));
  const Extent velocity = extent_of_shape(*shapes_of(drawing, "velocity")[0]),
               reaction = extent_of_shape(*shapes_of(drawing, "reaction")[0]);
  EXPECT_GT(velocity.width, 20 * velocity.height);
  EXPECT_GT(reaction.height, 20 * reaction.width);
}

// The start: what will fall has no speed yet.
TEST(Arrows, OfAMachineAtRestAreNone) {
  const Model falling =
      read_model_text(std::string(crank).replace(std::string(crank).find("[0, 0, 0]"), 9, "[0, -9.81, 0]"));
  for (const bool reactions : {false, true}) {
    const PoseOptions options{.times = {0}, .velocities = true, .reactions = reactions};
    const DrawnMotion motion = motion_of_model(falling, {}, options);
    EXPECT_THAT(kinds_in(drawing_of_poses(motion.model, motion.rows, options)), Not(Contains("velocity")));
  }
}

// A pose of type II of the robot (models/rrr_motors.yaml gives its time); at the start nothing is free.
TEST(Arrows, ShowWhatCanMoveAtASingularPose) {
  const Drawing singular = drawn("rrr_motors", {.times = {0.3935121}, .free = true});
  EXPECT_GT(shapes_of(singular, "free").size(), 6u);
  EXPECT_THAT([] { drawn("rrr_motors", {.times = {}, .free = true}); },
              ThrowsMessage<ComputationError>(HasSubstr("the pose at t = 0 s is not singular")));
}

TEST(Symbols, OfEveryShippedModelCanBeDrawn) {
  for (const std::string& name : shipped_models()) EXPECT_FALSE(drawn(name).shapes.empty()) << name;
}

}  // namespace
}  // namespace armature::internal::plot
