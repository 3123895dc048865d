// A picture as areas, shapes, lines and texts, one above the other, in points (1/72 inch) from the upper left corner; and the files it can
// become.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace armature::internal::plot {

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
};

struct Stroke {
  std::string color = "#000000";  // #rrggbb
  double width = 1;
  std::vector<double> dash;  // lengths of strokes and gaps; empty: solid
};

struct Area {
  std::vector<Point> corners;
  std::string color;
  double opacity = 1;
};

// Filled, outlined, or both. Shapes lie one over the other in the order of their list.
struct Shape {
  std::vector<Point> points;
  std::string fill = {};        // #rrggbb; empty: none
  Stroke stroke = {"", 0, {}};  // of no width: none
  bool closed = false;
  double opacity = 1;     // of fill and stroke
  std::string kind = {};  // what it shows: "pin", "spring"; the class of its element in SVG
};

struct Line {
  std::vector<Point> points;
  Stroke stroke;
  int clip = -1;  // index in Drawing::clips; -1: none
};

struct Text {
  enum class Anchor { start, middle, end };
  Point at;  // on the baseline
  std::string text;
  double size = 9;
  Anchor anchor = Anchor::start;
  bool upwards = false;  // turned by 90 degrees, read from below
  bool bold = false;
  double turn = 0;    // degrees, counter-clockwise about `at`
  bool halo = false;  // on a white edge, to be read over lines
  std::string color = "#1a1a1a";
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<Box> clips;
  std::vector<Area> areas;
  std::vector<Shape> shapes;
  std::vector<Line> lines;
  std::vector<Text> texts;
};

// About as wide as a text of this size is in a sans-serif font.
double text_width(const std::string& text, double size);

std::string to_svg(const Drawing& drawing);
// By the ending of the file: svg, png (with so many dots an inch) or pdf. Throws RecordError.
void write_drawing(const Drawing& drawing, const std::filesystem::path& file, double dots_per_inch);

// Pixels row by row, 0x00rrggbb each.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;
};
Image image_of(const Drawing& drawing, int width, int height);  // the drawing fills it; throws RecordError

}  // namespace armature::internal::plot
