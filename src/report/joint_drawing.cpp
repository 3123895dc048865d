#include "report/joint_drawing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "report/coupling_drawing.hpp"
#include "report/machine_colors.hpp"
#include "report/slider_drawing.hpp"
#include "report/solids.hpp"
#include "report/tube_drawing.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// In space the shapes of the bodies hide a pin: from its place to where its shaft comes out of them, towards the reader. Else zero.
Vector3d stub_of(const MachineSketch& m, const SceneJoint& joint) {
  if (m.flat || !(joint.shaft[0] + joint.shaft[1] > 0)) return Vector3d::Zero();
  const Vector3d axis = m.pose.axis(joint);
  const std::size_t end = axis.dot(m.at.projection.towards) < 0 ? 0 : 1;
  return (end == 0 ? -1 : 1) * (joint.shaft[end] + m.at.meters(0.8 * m.u)) * axis;
}

// Both ends of a shaft, each outside of the shapes.
void draw_stubs(MachineSketch& m, const SceneJoint& joint, const Vector3d& at, const std::string& fill) {
  for (const std::size_t end : {0, 1}) {
    const Vector3d out = (end == 0 ? -1 : 1) * m.pose.axis(joint), begin = at + joint.shaft[end] * out;
    const bool near = out.dot(m.at.projection.towards) > 0;
    draw_cylinder(begin, begin + m.at.meters(1.6 * m.u) * out, m.at.meters(0.95 * m.u), "pin", fill, ink_color,
                  Sketch::machine, m.sketch, near ? m.at.meters(2 * m.u) : 0);
  }
}

void draw_weld(MachineSketch& m, const Vector3d& at) {
  draw_pin(m.sketch, m.at(at), 0.35 * m.u, metal_color, m.over(Sketch::joints, at, 1));
}

// Of eight directions the one that is farthest from the bodies that meet at a joint, from its support and from what else is drawn there.
Point free_side(const MachineSketch& m, const SceneJoint& joint, const Vector3d& at, std::vector<Point> taken = {}) {
  if (m.look.steady) return taken.empty() ? unit_of(0.4 * m.down + across(m.down)) : across(taken[0]);
  for (const int body : {joint.a.body, joint.b.body}) {
    if (body < 0) continue;
    for (const Vector3d& place : m.pose.reached(body))
      if (const Point out = m.at(place) - m.at(at); length_of(out) > m.u) taken.push_back(unit_of(out));
  }
  if (joint.a.body < 0 || joint.b.body < 0) taken.push_back(m.down);
  Point best = -1.0 * m.down;
  double nearest_of_best = 2;
  for (int k = 0; k < 8; ++k) {
    const double angle = pi / 4 * (k + 0.5);
    const Point side{std::cos(angle), -std::sin(angle)};
    double nearest = -1;
    for (const Point& other : taken) nearest = std::max(nearest, side.x * other.x + side.y * other.y);
    if (nearest < nearest_of_best - 1e-6) best = side, nearest_of_best = nearest;
  }
  return best;
}

double symbol_size(const MachineSketch& m, const SceneJoint& joint) {
  const Vector3d at = m.pose.place(joint.b);
  double nearest = std::numeric_limits<double>::infinity();
  for (const SceneJoint& other : m.scene.joints)
    if (const double way = (m.pose.place(other.b) - at).norm(); way * m.at.scale > 0.5 * m.u)
      nearest = std::min(nearest, way);
  return std::clamp(nearest * m.at.scale / (9 * m.u), 0.5, 1.0);
}

// Spring and damper about a joint: smaller where another joint is near, and one at each place, since joints of a hip share theirs.
void draw_turning_elements(MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
  const SymbolPlace place = m.over(Sketch::elements, at, 3);
  const double size = symbol_size(m, joint);
  const auto is_new = [&](std::vector<Vector3d>& known) {
    if (std::ranges::any_of(known, [&](const Vector3d& other) { return (other - at).norm() * m.at.scale < 0.1; }))
      return false;
    known.push_back(at);
    return true;
  };
  if (joint.spring && is_new(m.springs)) draw_torsion_spring(m.sketch, m.at(at), place, size);
  if (!joint.damper || (joint.a.body < 0 && !m.look.ground) || !is_new(m.dampers)) return;
  const bool lettered = joint.drive == "motor", beside = joint.spring || joint.driven;
  const Point side = lettered ? free_side(m, joint, at, {free_side(m, joint, at)}) : free_side(m, joint, at);
  draw_torsion_damper(m.sketch, m.at(at), side, (beside ? 3.6 : 1.7) * m.u, place, size);
}

// A shoe on the rim of the wheel, hatched where the ground holds it.
void draw_brake(MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
  const double u = m.at.meters(m.u), inner = std::max(*joint.brake, 2.6 * u);
  const Vector3d axis = m.pose.axis(joint);
  Vector3d up = m.at.projection.up - axis * axis.dot(m.at.projection.up);
  if (up.norm() < 0.1) up = axis.unitOrthogonal();
  up.normalize();
  const Vector3d side = axis.cross(up);
  const double half = std::min(0.6, 4 * u / inner);
  const auto rim = [&](double radius, double angle) {
    return m.at(at + radius * (std::cos(angle) * up + std::sin(angle) * side));
  };
  std::vector<Point> shoe;
  for (int k = 0; k <= 12; ++k) shoe.push_back(rim(inner + 0.2 * u, half * (k / 6.0 - 1)));
  for (int k = 12; k >= 0; --k) shoe.push_back(rim(inner + 1.4 * u, half * (k / 6.0 - 1)));
  const SymbolPlace place = m.over(Sketch::elements, at, 3);
  m.sketch.area(place.layer, "brake", shoe, metal_color, ink_color, place.depth);
  for (int k = 0; joint.a.body < 0 && k <= 6; ++k)
    m.sketch.line(place.layer, "brake",
                  {rim(inner + 1.4 * u, half * (k / 3.0 - 1)), rim(inner + 2.3 * u, half * (k / 3.0 - 0.85))},
                  metal_color, 0.18 * m.u, place.depth);
}

// Hatched bars beside the arm where it meets its end stops.
void draw_turning_stops(MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
  const SceneJoint::StopArm& on = *joint.stop_arm;
  if (on.body < 0 && !m.look.ground) return;
  const Vector3d axis = m.pose.direction(on.body, on.axis), arm = m.pose.direction(on.body, on.arm),
                 across = axis.cross(arm);
  const double u = m.at.meters(m.u);
  for (int end = 0; end < 2; ++end) {
    const auto& stop = joint.stops[static_cast<std::size_t>(end)];
    if (!stop) continue;
    const double sign = end == 0 ? -1 : 1;
    const Vector3d along = std::cos(*stop) * arm + std::sin(*stop) * across, away = sign * axis.cross(along);
    const Vector3d foot = at + 1.05 * u * away;
    const Point from = m.at(foot + 3.2 * u * along), to = m.at(foot + 6.2 * u * along);
    if (length_of(to - from) < m.u) continue;  // seen from its end
    const Point side = plot::across(unit_of(to - from)), out = m.at.along(away);
    draw_hatch(m.sketch, from, to, (side.x * out.x + side.y * out.y < 0 ? -1.0 : 1.0) * side,
               m.over(Sketch::elements, foot + 4.7 * u * along, 1), "stop");
  }
}

void draw_drive(MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
  if (joint.drive == "motor" && (joint.a.body >= 0 || m.look.ground))
    draw_motor(m.sketch, m.at(at), free_side(m, joint, at),
               m.flat ? SymbolPlace{Sketch::behind, 1} : m.over(Sketch::machine, at, -1));
  else if (joint.drive != "motor" && m.look.ground)
    draw_turning_arrow(m.sketch, m.at(at), 3.3 * m.u, m.pose.axis(joint).dot(m.at.projection.towards) >= 0, joint.drive,
                       mark_color, m.over(Sketch::marks, at));
}

// Into which direction the body that is fixed to the ground leaves the joint, in the picture; up where that is not seen.
Point way_out(const MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
  const int body = joint.a.body < 0 ? joint.b.body : joint.a.body;
  Vector3d far = at;
  for (const Vector3d& place : m.pose.reached(body))
    if ((place - at).norm() > (far - at).norm()) far = place;
  if (m.scene.bodies[static_cast<std::size_t>(body)].beam) {
    const std::vector<Vector3d> line = m.pose.beam_points(body);
    const bool first = (line.front() - at).norm() < (line.back() - at).norm();
    far = first ? Vector3d(at + m.pose.direction(body, {1, 0, 0})) : line[line.size() - 2];
  }
  const Point way = m.at(far) - m.at(at);
  return length_of(way) > 1e-6 ? unit_of(way) : -1.0 * m.down;
}

// What is fixed to the ground sticks out of a wall.
void draw_fixed(MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
  const bool grounded = joint.a.body < 0 || joint.b.body < 0;
  if (!grounded) return draw_weld(m, at);
  if (m.look.ground)
    draw_clamp(m.sketch, m.at(at), way_out(m, joint, at),
               m.flat ? SymbolPlace{Sketch::ground, 0} : m.over(Sketch::machine, at, -1));
}

}  // namespace

void draw_joint(MachineSketch& m, std::size_t k) {
  const SceneJoint& joint = m.scene.joints[k];
  if (joint.glyph.empty()) return;
  if (is_slider(joint)) {
    m.flat ? draw_slider(m, k) : draw_tube(m, k);
    return;
  }
  const Vector3d at = m.pose.place(joint.b), stub = stub_of(m, joint);
  if (joint.glyph == "weld") return draw_fixed(m, joint, at);
  if (joint.a.body < 0 || joint.b.body < 0) m.add_ground(to_vector(joint.a.body < 0 ? joint.a.at : joint.b.at) + stub);
  if (joint.glyph == "pin") draw_turning_elements(m, joint, at + stub);
  if (joint.brake) draw_brake(m, joint, at + stub);
  if (joint.stop_arm) draw_turning_stops(m, joint, at);
  if (joint.driven) draw_drive(m, joint, at + stub);
  const std::string fill = joint.driven ? mark_color : m.flat ? paper_color : "#b9c1c9";
  if (stub.norm() > 0) {
    draw_stubs(m, joint, at, fill);
  } else if (!m.flat && (joint.glyph == "pin" || joint.glyph == "screw")) {
    const Vector3d half = m.at.meters(1.25 * m.u) * m.pose.axis(joint);
    if (joint.glyph == "screw") draw_thread(m.pose, k, m.look.travel[k], m.sketch);
    draw_cylinder(at - half, at + half, m.at.meters(0.95 * m.u), "pin", fill, ink_color, Sketch::machine, m.sketch,
                  m.at.meters(2 * m.u));
  } else {
    draw_pin(m.sketch, m.at(at), (m.flat ? 0.66 : 0.95) * m.u, fill, m.over(Sketch::joints, at, 2));
  }
}

}  // namespace armature::internal::plot
