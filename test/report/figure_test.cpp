#include "report/figure.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "record/record_error.hpp"
#include "report/axis.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> list;
  for (const Tick& tick : axis.ticks) list.push_back(tick.label);
  return list;
}

TEST(Axis, HasTicksAtRoundNumbers) {
  EXPECT_THAT(labels(linear_axis(0, 5, 5, true)), ElementsAre("0", "1", "2", "3", "4", "5"));
  EXPECT_THAT(labels(linear_axis(-0.31, 0.42, 4, true)), ElementsAre("\u22120.2", "0.0", "0.2", "0.4"));
}

TEST(Axis, LeavesRoomAndHoldsEverything) {
  const Axis axis = linear_axis(2, 7, 5);
  EXPECT_LT(axis.low, 2);
  EXPECT_GT(axis.high, 7);
  EXPECT_GT(axis.share(2), 0);
  EXPECT_LT(axis.share(7), 1);
  const Axis one = linear_axis(3, 3, 5);  // a constant channel
  EXPECT_LT(one.low, 3);
  EXPECT_GT(one.high, 3);
  EXPECT_GE(one.ticks.size(), 2u);
}

TEST(Axis, TakesACommonPowerOfTenOut) {
  const Axis axis = linear_axis(0, 4e-6, 4, true);
  EXPECT_EQ(axis.factor, "\u00d710\u207b\u2076");
  EXPECT_THAT(labels(axis), ElementsAre("0", "1", "2", "3", "4"));
}

TEST(Axis, LogarithmicAxesHaveDecades) {
  const Axis axis = logarithmic_axis(3e-4, 2e-2, 6);
  EXPECT_DOUBLE_EQ(axis.low, 1e-4);
  EXPECT_DOUBLE_EQ(axis.high, 1e-1);
  EXPECT_DOUBLE_EQ(axis.share(1e-2), 2.0 / 3);
  EXPECT_THAT(labels(axis), testing::Contains("10\u207b\u00b2"));
  int named = 0;
  for (const std::string& label : labels(logarithmic_axis(1e-20, 1, 6))) named += !label.empty();
  EXPECT_LE(named, 7);
}

TEST(Axis, OneDecadeHasLabelsBetween) {
  std::vector<std::string> named;
  for (const std::string& label : labels(logarithmic_axis(3e-4, 4e-4, 6)))
    if (!label.empty()) named.push_back(label);
  EXPECT_THAT(named, ElementsAre("10\u207b\u2074", "2\u00d710\u207b\u2074", "5\u00d710\u207b\u2074", "10\u207b\u00b3"));
}

// Rows at 0 and 1, of which the range shows what lies between.
TEST(Figure, ARangeBetweenTwoRowsShowsTheLineBetweenThem) {
  Figure figure;
  figure.panels = {{"y", false, {{"y", {0, 1}, {100, 200}}}}};
  figure.x_low = 0.4, figure.x_high = 0.6;
  std::vector<std::string> texts;
  for (const Text& text : drawing_of(figure).texts) texts.push_back(text.text);
  EXPECT_THAT(texts, testing::Contains("150"));
}

TEST(Figure, ThinsACurveWithoutLosingItsPeaks) {
  std::vector<Point> points;
  for (int i = 0; i < 1'000'000; ++i) points.push_back({4e-4 * i, i == 300'123 ? -50.0 : 10 * std::sin(0.3 * i)});
  const std::vector<Point> kept = thinned(points);
  EXPECT_LE(kept.size(), 4 * 1601u);  // columns of a quarter point over 400 points
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  EXPECT_EQ(std::min_element(kept.begin(), kept.end(), lower)->y, -50);
  EXPECT_NEAR(std::max_element(kept.begin(), kept.end(), lower)->y, 10, 1e-4);
  EXPECT_EQ(kept.front().x, points.front().x);
  EXPECT_EQ(kept.back().x, points.back().x);
}

Figure two_panels() {
  Figure figure;
  figure.x_label = "t (s)";
  figure.panels = {{"angle (rad)", false, {{"a<b", {0, 1, 2}, {0, 1, 4}, 0, 0}, {"c", {0, 1, 2}, {3, NAN, 1}, 1, 0}}},
                   {"|e|", true, {{"e", {0, 1, 2}, {1e-9, -1e-3, 0}, 0, 0}}}};
  figure.events = {0.5, 7};
  return figure;
}

const Line* curve_of(const Drawing& drawing, const std::string& color, int clip) {
  for (const Line& line : drawing.lines)
    if (line.clip == clip && line.stroke.color == color) return &line;
  return nullptr;
}

TEST(Figure, DrawsCurvesInsideTheirPanels) {
  const Drawing drawing = drawing_of(two_panels());
  ASSERT_EQ(drawing.clips.size(), 2u);
  EXPECT_LT(drawing.clips[0].bottom, drawing.clips[1].top);
  EXPECT_LT(drawing.clips[1].bottom, drawing.height);
  const Line* a = curve_of(drawing, "#0072b2", 0);
  ASSERT_TRUE(a);
  ASSERT_EQ(a->points.size(), 3u);
  const Box& box = drawing.clips[0];
  EXPECT_DOUBLE_EQ(a->points[0].x, box.left);
  EXPECT_DOUBLE_EQ(a->points[2].x, box.right);
  EXPECT_DOUBLE_EQ(a->points[1].x, (box.left + box.right) / 2);
  // 0, 1, 4: a quarter of the way up
  EXPECT_NEAR(a->points[0].y - a->points[1].y, 0.25 * (a->points[0].y - a->points[2].y), 1e-9);
  EXPECT_EQ(curve_of(drawing, "#d55e00", 0), nullptr);  // a gap between single points: nothing to join
  const Line* e = curve_of(drawing, "#0072b2", 1);
  ASSERT_TRUE(e);
  EXPECT_EQ(e->points.size(), 2u);            // zero has no logarithm
  EXPECT_GT(e->points[0].y, e->points[1].y);  // 1e-9 below 1e-3
}

// A circle stays one, whichever way the panel is longer.
TEST(Figure, KeepsTheShapeOfAPath) {
  for (const double height : {60.0, 200.0, 900.0}) {
    Figure figure;
    figure.true_scale = true, figure.panel_height = height;
    Curve circle{"path", {}, {}, 0, 0};
    for (int k = 0; k <= 64; ++k) circle.x.push_back(3 + std::cos(k * 0.1)), circle.y.push_back(std::sin(k * 0.1) - 7);
    figure.panels.push_back({"y (m)", false, {circle}});
    const Drawing drawing = drawing_of(figure);
    const Line* line = curve_of(drawing, "#0072b2", 0);
    ASSERT_TRUE(line);
    const auto [left, right] = std::ranges::minmax_element(line->points, {}, &Point::x);
    const auto [top, bottom] = std::ranges::minmax_element(line->points, {}, &Point::y);
    EXPECT_NEAR(right->x - left->x, bottom->y - top->y, 1e-2 * (bottom->y - top->y)) << height;
    const Box& box = drawing.clips[0];
    EXPECT_TRUE(left->x >= box.left && right->x <= box.right && top->y >= box.top && bottom->y <= box.bottom) << height;
  }
}

TEST(Figure, MarksEventsInsideTheRange) {
  int events = 0;
  for (const Line& line : drawing_of(two_panels()).lines)
    events += line.stroke.color == "#8c8c8c" && line.points[0].x == line.points[1].x;
  EXPECT_EQ(events, 2);  // one of them, in both panels
}

// As wide as they are estimated, no two texts of a figure cover one another.
TEST(Figure, TextsDoNotOverlap) {
  Figure figure = two_panels();
  for (int i = 0; i < 9; ++i) figure.panels[0].curves.push_back({"platform.P1.x", {0, 1}, {0, 1e5}, i, 0});
  const Drawing drawing = drawing_of(figure);
  std::vector<Box> boxes;
  for (const Text& text : drawing.texts) {
    if (text.upwards || text.text.empty()) continue;
    const double width = text_width(text.text, text.size);
    const double left = text.at.x - (text.anchor == Text::Anchor::end      ? width
                                     : text.anchor == Text::Anchor::middle ? width / 2
                                                                           : 0);
    boxes.push_back({left, text.at.y - 0.75 * text.size, left + width, text.at.y});
    EXPECT_GE(left, 0) << text.text;
    EXPECT_LE(left + width, drawing.width) << text.text;
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(boxes[i].left < boxes[j].right && boxes[j].left < boxes[i].right && boxes[i].top < boxes[j].bottom &&
                   boxes[j].top < boxes[i].bottom)
          << i << " covers " << j;
}

TEST(Drawing, SvgIsEscaped) {
  const std::string svg = to_svg(drawing_of(two_panels()));
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns"));
  EXPECT_THAT(svg, HasSubstr(">a&lt;b</text>"));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"2 2\""));
}

std::string beginning(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(24, '\0');
  in.read(bytes.data(), 24);
  return bytes;
}

TEST(Drawing, PngAndPdfAreWhatTheyAreCalled) {
  TemporaryFolder folder;
  const Drawing drawing = drawing_of(two_panels());
  write_drawing(drawing, folder / "a.png", 144);
  const std::string png = beginning(folder / "a.png");
  EXPECT_EQ(png.substr(1, 3), "PNG");
  const auto byte = [&](int i) { return static_cast<unsigned char>(png[i]); };
  EXPECT_EQ(byte(18) << 8 | byte(19), std::lround(2 * drawing.width));  // the width, big-endian
  write_drawing(drawing, folder / "a.pdf", 144);
  EXPECT_EQ(beginning(folder / "a.pdf").substr(0, 5), "%PDF-");
  EXPECT_THROW(write_drawing(drawing, folder / "a.gif", 144), RecordError);
  EXPECT_THROW(write_drawing(drawing, folder / "none" / "a.svg", 144), RecordError);
}

}  // namespace
}  // namespace armature::internal::plot
