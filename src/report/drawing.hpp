// A picture as areas, lines and texts, one above the other, in points (1/72 inch) from the upper left corner; and the files it can become.
#pragma once

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
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<Box> clips;
  std::vector<Area> areas;
  std::vector<Line> lines;
  std::vector<Text> texts;
};

// About as wide as a text of this size is in a sans-serif font.
double text_width(const std::string& text, double size);

std::string to_svg(const Drawing& drawing);
// By the ending of the file: svg, png (with so many dots an inch) or pdf. Throws RecordError.
void write_drawing(const Drawing& drawing, const std::filesystem::path& file, double dots_per_inch);

}  // namespace armature::internal::plot
