#include "report/solids.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "report/machine_colors.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr int points_around_circle = 48;
constexpr std::size_t most_triangles = 3000;  // of a mesh; one with more is drawn by its outline

std::vector<Vector3d> circle_about(const Vector3d& middle, const Vector3d& axis, double radius) {
  const Vector3d first = axis.unitOrthogonal(), second = axis.normalized().cross(first);
  std::vector<Vector3d> points;
  for (int k = 0; k < points_around_circle; ++k) {
    const double angle = 2 * std::numbers::pi * k / points_around_circle;
    points.emplace_back(middle + radius * (std::cos(angle) * first + std::sin(angle) * second));
  }
  return points;
}

// Darker where a face turns away from the light.
std::string lit(const std::string& color, const Vector3d& normal, const Projection& projection) {
  const Vector3d light = (projection.towards + 0.8 * projection.up - 0.4 * projection.right).normalized();
  const double bright = std::clamp(normal.normalized().dot(light), -1.0, 1.0);
  return bright > 0.7 ? mixed(color, paper_color, 0.6 * (bright - 0.7))
                      : mixed(color, "#000000", 0.34 * (0.7 - bright));
}

class FaceDrawer {
 public:
  FaceDrawer(const std::string& fill, const std::string& edge, Sketch::Layer layer, Sketch& sketch)
      : fill_(fill), edge_(edge), layer_(layer), sketch_(sketch) {}

  // A plane face, if it is turned to the reader. Corners go around it counter-clockwise, seen from outside.
  void face(const std::vector<Vector3d>& corners, bool with_edge = true) {
    const Vector3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[1]);
    const Projection& projection = sketch_.at.projection;
    if (normal.dot(projection.towards) <= 1e-9 * normal.norm()) return;
    std::vector<Point> outline;
    double depth = 0;
    for (const Vector3d& corner : corners)
      outline.push_back(sketch_.at(corner)), depth += projection.depth(corner) / static_cast<double>(corners.size());
    const std::string color = lit(fill_, normal, projection);
    sketch_.area(layer_, "shape", std::move(outline), color, with_edge ? edge_ : color, depth);
  }

  void hull(const std::vector<Vector3d>& points) {
    std::vector<Point> seen;
    double depth = 0;
    for (const Vector3d& point : points)
      seen.push_back(sketch_.at(point)),
          depth += sketch_.at.projection.depth(point) / static_cast<double>(points.size());
    sketch_.area(layer_, "shape", convex_outline(std::move(seen)), fill_, edge_, depth);
  }

 private:
  const std::string& fill_;
  const std::string& edge_;
  Sketch::Layer layer_;
  Sketch& sketch_;
};

std::vector<Vector3d> box_corners(const Vector3d& at, const Triple& sides) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < 8; ++k)
    corners.emplace_back(
        at + 0.5 * Vector3d((k & 1 ? 1 : -1) * sides[0], (k & 2 ? 1 : -1) * sides[1], (k & 4 ? 1 : -1) * sides[2]));
  return corners;
}

}  // namespace

std::vector<Vector3d> points_around(const SceneShape& shape) {
  const Vector3d at = to_vector(shape.at), from = to_vector(shape.from), to = to_vector(shape.to);
  std::vector<Vector3d> points;
  if (shape.kind == "box") points = box_corners(at, shape.sides);
  if ((shape.kind == "cylinder" || shape.kind == "rod") && to != from)
    for (const Vector3d& end : {from, to})
      for (const Vector3d& point : circle_about(end, to - from, shape.radius)) points.push_back(point);
  if (shape.kind == "sphere")
    for (const Vector3d& axis : {Vector3d::UnitX().eval(), Vector3d::UnitY().eval(), Vector3d::UnitZ().eval()})
      for (const Vector3d& point : circle_about(at, axis, shape.radius)) points.push_back(point);
  for (std::size_t k = 0; k + 3 <= shape.triangles.size(); k += 3)
    points.emplace_back(at + Vector3d(shape.triangles[k], shape.triangles[k + 1], shape.triangles[k + 2]));
  return points;
}

void draw_cylinder(const Vector3d& a, const Vector3d& b, double radius, const std::string& kind,
                   const std::string& fill, const std::string& edge, Sketch::Layer layer, Sketch& sketch, double lift) {
  const Projection& projection = sketch.at.projection;
  const Vector3d axis = b - a;
  if (!(axis.norm() > 0)) return;
  const Vector3d near = projection.depth(a) > projection.depth(b) ? a : b;
  std::vector<Point> hull, cap;
  for (const Vector3d& end : {a, b})
    for (const Vector3d& point : circle_about(end, axis, radius)) hull.push_back(sketch.at(point));
  for (const Vector3d& point : circle_about(near, axis, radius)) cap.push_back(sketch.at(point));
  const Vector3d outward = (near == a ? -1.0 : 1.0) * axis;
  const Vector3d side = projection.towards - axis.normalized() * axis.normalized().dot(projection.towards);
  const double depth = projection.depth(0.5 * (a + b)) + lift;
  sketch.area(layer, kind, convex_outline(std::move(hull)), side.norm() > 1e-6 ? lit(fill, side, projection) : fill,
              edge, depth);
  if (axis.normalized().dot(projection.towards) != 0)
    sketch.area(layer, kind, std::move(cap), lit(fill, outward, projection), edge, depth);
}

void draw_solid(const PosedScene& pose, int body, const SceneShape& shape, const std::string& fill,
                const std::string& edge, Sketch::Layer layer, Sketch& sketch) {
  const auto placed = [&](const Vector3d& at) { return pose.on_body(body, {at.x(), at.y(), at.z()}); };
  FaceDrawer faces(fill, edge, layer, sketch);
  const Vector3d at = to_vector(shape.at);
  if (shape.kind == "box") {
    std::vector<Vector3d> corners;
    for (const Vector3d& corner : box_corners(at, shape.sides)) corners.push_back(placed(corner));
    constexpr int sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& side : sides) faces.face({corners[side[0]], corners[side[1]], corners[side[2]], corners[side[3]]});
  } else if (shape.kind == "cylinder") {
    draw_cylinder(placed(to_vector(shape.from)), placed(to_vector(shape.to)), shape.radius, "shape", fill, edge, layer,
                  sketch);
  } else if (shape.kind == "rod") {
    const Vector3d a = placed(to_vector(shape.from)), b = placed(to_vector(shape.to));
    sketch.area(layer, "shape",
                capsule(sketch.at(a), sketch.at(b), std::max(shape.radius * sketch.at.scale, 0.4 * sketch.u)), fill,
                edge, sketch.at.projection.depth(0.5 * (a + b)));
  } else if (shape.kind == "sphere") {
    const Vector3d middle = placed(at);
    sketch.area(layer, "shape", circle(sketch.at(middle), shape.radius * sketch.at.scale), fill, edge,
                sketch.at.projection.depth(middle));
  } else if (!shape.triangles.empty()) {
    std::vector<Vector3d> corners;
    for (const Vector3d& corner : points_around(shape)) corners.push_back(placed(corner));
    const bool is_box = corners.size() == 36;  // a turned one
    if (is_box || corners.size() > 3 * most_triangles) return faces.hull(corners);
    for (std::size_t k = 0; k + 3 <= corners.size(); k += 3)
      faces.face({corners[k], corners[k + 1], corners[k + 2]}, false);
  }
}

}  // namespace armature::internal::plot
