#include "report/surface_drawing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>

#include "report/machine_colors.hpp"

namespace armature::internal::plot {

using Eigen::Vector3d;

void draw_surface(MachineSketch& m, const SceneDrawing& drawing) {
  if (drawing.fixed && m.flat) return;  // see draw_planes
  std::vector<Point> line;
  Vector3d middle = Vector3d::Zero();
  for (int k = 0; k < drawing.points; ++k) {
    const Vector3d point = m.pose.point(drawing.offset + 3 * k);
    line.push_back(m.at(point)), middle += point / drawing.points;
  }
  const SymbolPlace place = m.over(Sketch::elements, middle, 1);
  m.sketch.line(place.layer, "surface", line, ink_color, 0.3 * m.u, place.depth);
}

// Pieces of one plane under several points are drawn as one.
void draw_planes(MachineSketch& m) {
  std::vector<std::array<Vector3d, 2>> planes;
  for (const auto& plane : m.look.planes) {
    if (!plane) continue;
    const auto is_same = [&](const std::array<Vector3d, 2>& other) {
      const Vector3d along = (other[1] - other[0]).normalized(), from = (*plane)[0] - other[0],
                     to = (*plane)[1] - other[0];
      const double near = m.at.meters(0.5 * m.u);
      return from.cross(along).norm() < near && to.cross(along).norm() < near && along.dot(to - from) > 0;
    };
    const auto known = std::ranges::find_if(planes, is_same);
    if (known == planes.end()) {
      planes.push_back(*plane);
      continue;
    }
    const Vector3d along = (*known)[1] - (*known)[0];
    if (along.dot((*plane)[0] - (*known)[0]) < 0) (*known)[0] = (*plane)[0];
    if (along.dot((*plane)[1] - (*known)[1]) > 0) (*known)[1] = (*plane)[1];
  }
  for (const auto& [a, b] : planes)
    draw_hatch(m.sketch, m.at(a), m.at(b), unit_of(m.at.along(m.normal().cross(b - a))), {Sketch::ground, 0});
}

}  // namespace armature::internal::plot
