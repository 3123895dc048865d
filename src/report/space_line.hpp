// A line among bodies in space: pieces, each hidden by what is in front of it.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "report/sketch.hpp"

namespace armature::internal::plot {

struct LineStyle {
  std::string color;
  double width;  // points
};

using DepthOf = std::function<double(const Eigen::Vector3d&)>;

void draw_space_line(Sketch& sketch, const std::string& kind, const std::vector<Eigen::Vector3d>& line,
                     const LineStyle& style, const DepthOf& depth_of);
// As deep as it is.
void draw_space_line(Sketch& sketch, const std::string& kind, const std::vector<Eigen::Vector3d>& line,
                     const LineStyle& style);

}  // namespace armature::internal::plot
