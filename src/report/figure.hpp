// A figure: panels one below the other over a common axis, each with curves and a legend above them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/drawing.hpp"

namespace armature::internal::plot {

struct Curve {
  std::string label;
  std::vector<double> x, y;  // NaN: a gap
  int color = 0, dash = 0;   // indices of the palette and of the dash patterns
};

struct Panel {
  std::string label;  // of the vertical axis, with its unit
  bool logarithmic = false;
  std::vector<Curve> curves;
};

struct Figure {
  std::string title, x_label;
  std::vector<Panel> panels;
  std::vector<double> events;              // marked on the horizontal axis of all panels
  std::optional<double> x_low, x_high;     // else from the curves
  bool true_scale = false;                 // a unit is as long along both axes: a path keeps its shape
  double width = 454, panel_height = 150;  // points; 454 = 160 mm
};

Drawing drawing_of(const Figure& figure);

// What is left of a curve when points that lie in one column of a quarter point are replaced by the first, lowest, highest and
// last of them. Points that go back in x, as of a path in a plane, are kept unless they lie within a tenth of a point.
std::vector<Point> thinned(const std::vector<Point>& points);

}  // namespace armature::internal::plot
