// A static picture of values over a grid: each cell in the color of its value, with a scale beside it; or in the color of
// its class, with a legend. Points and lines may be drawn over it.
#pragma once

#include <string>
#include <vector>

#include "report/drawing.hpp"

namespace armature::internal::plot {

struct HeatMap {
  std::string title, x_label, y_label, value_label;
  std::vector<double> x, y;          // centers of the cells, ascending
  std::vector<double> values;        // x runs fastest; NaN: nothing is known there, the cell stays gray
  bool logarithmic = false;          // colors by the logarithm
  std::vector<std::string> classes;  // not empty: values are numbers of classes
  struct Mark {
    Point at;  // in x and y
    std::string text;
  };
  std::vector<Mark> marks;
  std::vector<std::vector<Point>> outlines;  // in x and y
  double width = 454, height = 300;          // points
};

Drawing drawing_of(const HeatMap& map);

}  // namespace armature::internal::plot
