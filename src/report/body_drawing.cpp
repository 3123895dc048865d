#include "report/body_drawing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "report/display_list.hpp"
#include "report/load_colors.hpp"
#include "report/machine_colors.hpp"
#include "report/solids.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

// All points in one plane; of them a hull is a plate.
bool are_coplanar(const std::vector<Vector3d>& places) {
  Vector3d normal = Vector3d::Zero();
  double size = 0;
  for (const Vector3d& a : places)
    for (const Vector3d& b : places) {
      const Vector3d cross = (a - places[0]).cross(b - places[0]);
      if (cross.norm() > normal.norm()) normal = cross;
      size = std::max(size, (a - places[0]).norm());
    }
  if (normal.norm() < 1e-6 * size * size) return false;
  normal.normalize();
  return std::ranges::all_of(places,
                             [&](const Vector3d& a) { return std::abs(normal.dot(a - places[0])) < 1e-3 * size; });
}

// Of a wheel carrier or a crank disc: the place of a joint well inside of the outline. It is drawn as arms from there.
std::optional<Point> hub_of(const std::vector<Point>& hull, const std::vector<Point>& joints, double inside) {
  for (const Point& joint : joints) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; hull.size() > 2 && k < hull.size(); ++k) {
      const Point side = unit_of(hull[(k + 1) % hull.size()] - hull[k]), out = joint - hull[k];
      nearest = std::min(nearest, std::abs(side.x * out.y - side.y * out.x));
    }
    if (hull.size() > 2 && nearest > inside) return joint;
  }
  return std::nullopt;
}

bool has_profile(const MachineSketch& m, int k) {
  return std::ranges::count(m.scene.profiles, k, &SceneProfile::body) > 0;
}

// Whether a wheel turns shows by the lines from its axis to its points.
void draw_spokes(MachineSketch& m, int k) {
  const SceneBody& body = m.scene.bodies[static_cast<std::size_t>(k)];
  const auto wheel = std::ranges::find(body.shapes, "cylinder", &SceneShape::kind);
  if (wheel == body.shapes.end()) return;
  const Vector3d from = to_vector(wheel->from), axis = (to_vector(wheel->to) - from).normalized();
  const double half = 0.5 * (to_vector(wheel->to) - from).norm();
  const double towards = m.pose.direction(k, {axis.x(), axis.y(), axis.z()}).dot(m.at.projection.towards) < 0 ? -1 : 1;
  for (const auto& [name, point] : body.points) {
    const Vector3d out = to_vector(point) - from, radial = out - axis * axis.dot(out);
    if (radial.norm() < 0.5 * wheel->radius) continue;
    const Vector3d middle = from + axis * half * (1 + towards);
    const auto placed = [&](const Vector3d& at) { return m.pose.on_body(k, {at.x(), at.y(), at.z()}); };
    m.sketch.line(m.flat ? Sketch::behind : Sketch::machine, "spoke",
                  {m.at(placed(middle)), m.at(placed(middle + radial))}, m.look.colors.edge(k), m.sketch.edge_width(),
                  m.over(Sketch::behind, placed(middle), 3).depth);
  }
}

// Pieces over the strip, each in the color of its mean load.
void draw_beam_loads(MachineSketch& m, int k, const Vector3d& middle, const std::vector<Point>& line) {
  const std::vector<double> loads = m.pose.beam_loads(k);
  const double largest = (*m.look.largest_load)[m.scene.bodies[static_cast<std::size_t>(k)].beam->is_stress ? 0 : 1];
  const double depth = m.flat ? k + 0.1 : m.over(Sketch::machine, middle, 0.1).depth;
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
    m.sketch.area(Sketch::machine, "beam load", ribbon({line[i], line[i + 1]}, 0.5 * m.u),
                  load_color(largest > 0 ? 0.5 * (loads[i] + loads[i + 1]) / largest : 0), "", depth);
}

void draw_beam(MachineSketch& m, int k) {
  std::vector<Point> line;
  const std::vector<Vector3d> points = m.pose.beam_points(k);
  for (const Vector3d& point : points) line.push_back(m.at(point));
  m.sketch.area(Sketch::machine, "beam", ribbon(line, 0.6 * m.u), m.look.colors.fill(k), m.look.colors.edge(k),
                m.body_depth(k, points[points.size() / 2]));
  if (m.look.largest_load) draw_beam_loads(m, k, points[points.size() / 2], line);
}

std::vector<Point> pins_of(const MachineSketch& m, int k) {
  std::vector<Point> places;
  for (const SceneJoint& joint : m.scene.joints)
    for (const ScenePlace* place : {&joint.a, &joint.b})
      if (place->body == k && joint.glyph == "pin") places.push_back(m.at(m.pose.place(*place)));
  return places;
}

// Edges first, so that the arms are one piece.
void draw_arms(MachineSketch& m, int k, const Point& hub, const std::vector<Point>& ends, double radius) {
  for (const Point& end : ends)
    m.sketch.area(Sketch::machine, "link", capsule(hub, end, radius), m.look.colors.fill(k), m.look.colors.edge(k), k);
  for (const Point& end : ends)
    m.sketch.area(Sketch::machine, "link", capsule(hub, end, radius - 0.5 * m.sketch.edge_width()),
                  m.look.colors.fill(k), "", k + 0.1);
}

// Bars of three widths: where they lie over each other, at a dead center, the edges of those below are seen.
double layered(int k) { return 1 - 0.16 * (k % 3); }

void draw_star(MachineSketch& m, int k, const std::vector<Vector3d>& places) {
  Vector3d middle = Vector3d::Zero();
  for (const Vector3d& place : places) middle += place / static_cast<double>(places.size());
  for (const Vector3d& place : places)
    m.sketch.area(Sketch::machine, "link", capsule(m.at(middle), m.at(place), 0.8 * m.u), m.look.colors.fill(k),
                  m.look.colors.edge(k), m.body_depth(k, 0.5 * (middle + place)));
}

bool slides(const MachineSketch& m, int body) {
  return std::ranges::any_of(m.scene.joints, [&](const SceneJoint& joint) {
    return is_slider(joint) && (joint.a.body == body || joint.b.body == body);
  });
}

// In space, the half of a tube that pulls out: all of its places lie on the axis of the tube.
bool is_part_of_tube(const MachineSketch& m, int k, const std::vector<Vector3d>& places) {
  return !m.flat && std::ranges::any_of(m.scene.joints, [&](const SceneJoint& joint) {
    if (!is_slider(joint) || (joint.a.body != k && joint.b.body != k) || !pulls_out(m, joint)) return false;
    const Vector3d from = m.pose.place(joint.a), axis = m.pose.axis(joint);
    return std::ranges::all_of(
        places, [&](const Vector3d& place) { return (place - from).cross(axis).norm() < m.at.meters(0.1 * m.u); });
  });
}

// The mass at the far end of a body that hangs on one joint is shown.
bool is_bob(const MachineSketch& m, int k) {
  const SceneBody& body = m.scene.bodies[static_cast<std::size_t>(k)];
  const ScenePlace* hung = nullptr;
  int joints = 0;
  for (const SceneJoint& joint : m.scene.joints)
    for (const ScenePlace* place : {&joint.a, &joint.b})
      if (place->body == k) hung = place, ++joints;
  if (joints != 1 || !(body.mass > 0)) return false;
  const Vector3d from = m.pose.place(*hung);
  double reach = 0;
  for (const Vector3d& place : m.pose.reached(k)) reach = std::max(reach, (place - from).norm());
  return reach > 1e-9 && (m.pose.on_body(k, body.center) - from).norm() > 0.9 * reach;
}

void draw_link_body(MachineSketch& m, int k) {
  const std::vector<Vector3d> places = m.pose.reached(k);
  if (is_part_of_tube(m, k, places)) return;
  if (places.size() > 2 && !m.flat && !are_coplanar(places)) {
    draw_star(m, k, places);
  } else if (places.size() > 1 || (m.flat && !slides(m, k))) {
    std::vector<Point> seen;
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& place : places)
      seen.push_back(m.at(place)), middle += place / static_cast<double>(places.size());
    const double radius = places.size() == 1 ? 1.1 * m.u : m.flat ? layered(k) * m.u : 0.8 * m.u;
    const std::vector<Point> hull = convex_outline(std::move(seen));
    if (const auto hub = m.flat ? hub_of(hull, pins_of(m, k), 2 * m.u) : std::nullopt)
      draw_arms(m, k, *hub, hull, radius);
    else
      m.sketch.area(Sketch::machine, "link", rounded(hull, radius), m.look.colors.fill(k), m.look.colors.edge(k),
                    m.body_depth(k, middle));
  }
  if (is_bob(m, k)) {
    const Vector3d center = m.pose.on_body(k, m.scene.bodies[static_cast<std::size_t>(k)].center);
    m.sketch.area(Sketch::machine, "link", circle(m.at(center), 2.1 * m.u), m.look.colors.fill(k),
                  m.look.colors.edge(k), m.body_depth(k, center) + 0.5);
  }
}

}  // namespace

void draw_body(MachineSketch& m, int k) {
  const SceneBody& body = m.scene.bodies[static_cast<std::size_t>(k)];
  if (body.beam) return draw_beam(m, k);
  if (body.shapes.empty() && !has_profile(m, k)) return draw_link_body(m, k);
  for (const SceneShape& shape : body.shapes)
    draw_solid(m.pose, k, shape, m.look.colors.fill(k), m.look.colors.edge(k),
               m.flat ? Sketch::behind : Sketch::machine, m.sketch);
  draw_spokes(m, k);
}

// A cam or a part of a Geneva drive; over a given shape it is paler.
void draw_profile(MachineSketch& m, const SceneProfile& profile) {
  std::vector<Point> outline;
  Vector3d middle = Vector3d::Zero();
  for (const Triple& place : profile.outline) {
    const Vector3d at = m.pose.on_body(profile.body, place);
    outline.push_back(m.at(at)), middle += at / static_cast<double>(profile.outline.size());
  }
  const std::string fill = m.look.colors.fill(profile.body);
  const bool pale = profile.kind != "pin" && m.is_shaped(profile.body);
  m.sketch.area(m.flat && profile.kind != "pin" ? Sketch::behind : Sketch::machine, profile.kind, outline,
                pale ? mixed(fill, paper_color, 0.6) : fill, m.look.colors.edge(profile.body),
                profile.kind == "pin" ? m.body_depth(profile.body, middle) + 50 : m.body_depth(profile.body, middle));
}

void draw_lines(MachineSketch& m, const SceneDrawing& drawing) {
  const int index = static_cast<int>(&drawing - m.scene.drawings.data());
  std::vector<Vector3d> points;
  for (int k = 0; k < drawing.points; ++k) points.push_back(m.pose.point(drawing.offset + 3 * k));
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    m.sketch.area(Sketch::machine, "link", capsule(m.at(points[k]), m.at(points[k + 1]), 0.75 * m.u),
                  m.look.colors.fill(index), m.look.colors.edge(index),
                  m.body_depth(index, 0.5 * (points[k] + points[k + 1])));
  for (const Vector3d& point : points)
    draw_pin(m.sketch, m.at(point), points.size() < 2 ? 1.2 * m.u : 0.55 * m.u,
             points.size() < 2 ? m.look.colors.fill(index) : paper_color, m.over(Sketch::joints, point, 2));
}

}  // namespace armature::internal::plot
