#include "report/space_line.hpp"

#include <cmath>

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr double longest_piece =
    2;  // units of the sketch: as long as small symbols, so that a piece is in front of a body or behind it

// With points between those that are far apart.
std::vector<Vector3d> refined(const std::vector<Vector3d>& line, double step) {
  std::vector<Vector3d> points{line.front()};
  for (std::size_t k = 1; k < line.size(); ++k) {
    const Vector3d way = line[k] - line[k - 1];
    const int parts =
        way.norm() > step ? static_cast<int>(std::ceil(way.norm() / step)) : 1;  // 1: also of a place that is not known
    for (int i = 1; i <= parts; ++i) points.emplace_back(line[k - 1] + way * i / parts);
  }
  return points;
}

}  // namespace

void draw_space_line(Sketch& sketch, const std::string& kind, const std::vector<Vector3d>& line, const LineStyle& style,
                     const DepthOf& depth_of) {
  const double step = sketch.at.meters(longest_piece * sketch.u);
  const std::vector<Vector3d> points = refined(line, step);
  std::vector<Point> piece{sketch.at(points.front())};
  double length = 0;
  std::size_t first = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    piece.push_back(sketch.at(points[k])), length += (points[k] - points[k - 1]).norm();
    if (k + 1 < points.size() && length + (points[k + 1] - points[k]).norm() <= step) continue;
    sketch.line(Sketch::machine, kind, std::move(piece), style.color, style.width,
                depth_of(0.5 * (points[first] + points[k])));
    piece = {sketch.at(points[k])}, length = 0, first = k;
  }
}

void draw_space_line(Sketch& sketch, const std::string& kind, const std::vector<Vector3d>& line,
                     const LineStyle& style) {
  draw_space_line(sketch, kind, line, style, [&](const Vector3d& place) { return sketch.at.projection.depth(place); });
}

}  // namespace armature::internal::plot
