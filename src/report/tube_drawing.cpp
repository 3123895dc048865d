#include "report/tube_drawing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "report/machine_colors.hpp"
#include "report/slider_drawing.hpp"
#include "report/solids.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr double half_block = 1.4;  // of a slider without a shape, units of the sketch

// How far the shapes of a body reach from a place, m.
double reach(const MachineSketch& m, int body, const Vector3d& from, const Vector3d& along) {
  double most = 0;
  if (body >= 0)
    for (const SceneShape& shape : m.scene.bodies[static_cast<std::size_t>(body)].shapes)
      for (const Vector3d& point : points_around(shape))
        most = std::max(most, along.dot(m.pose.on_body(body, {point.x(), point.y(), point.z()}) - from));
  return most;
}

// From a place of a body to the edge of its shapes that is below and in front, along an axis. Zero without shapes.
Vector3d lower_edge(const MachineSketch& m, int body, const Vector3d& at, const Vector3d& axis) {
  if (!m.is_shaped(body)) return Vector3d::Zero();
  const Vector3d down = m.scene.gravity && to_vector(*m.scene.gravity).norm() > 0
                            ? to_vector(*m.scene.gravity).normalized()
                            : -Vector3d::UnitZ();
  const auto to_reader = [&](const Vector3d& x) { return x.dot(m.at.projection.towards) < 0 ? Vector3d(-x) : x; };
  Vector3d below = down - axis * axis.dot(down);
  if (below.norm() < 0.3)
    below = to_reader(std::abs(axis.x()) < 0.9 ? Vector3d::UnitX().cross(axis) : Vector3d::UnitY().cross(axis));
  below.normalize();
  const Vector3d in_front = to_reader(axis.cross(below));
  return reach(m, body, at, below) * below + reach(m, body, at, in_front) * in_front;
}

// Across a line of the picture, upwards.
Point upwards(const Point& along) { return along.x < 0 ? across(along) : -1.0 * across(along); }

void draw_push_in_space(MachineSketch& m, const SceneJoint& joint, const Vector3d& from, const Vector3d& axis,
                        double gap) {
  const Point seen = m.at.along(axis), along = unit_of(seen), tail = m.at(from) + gap * along;
  if (!joint.driven || length_of(seen) < 0.2 || (joint.a.body < 0 && !m.look.ground)) return;
  m.sketch.arrow(Sketch::marks, joint.drive, tail, tail + 5 * m.u * along, mark_color, 0.36 * m.u);
  if (joint.drive == "motor")
    draw_motor_letter(m.sketch, tail + 2.5 * m.u * along + 0.9 * m.u * upwards(along), upwards(along));
}

// A brake is a collar behind the block, on what guides it.
void draw_collar(MachineSketch& m, const SceneJoint& joint, const Vector3d& front, const Vector3d& axis,
                 SymbolPlace place) {
  const Point along = m.at.along(axis);
  const double half = 0.5 * shoe_length * m.u;
  if (joint.brake && length_of(along) > 0.2)
    m.sketch.area(place.layer, "brake", rectangle(m.at(front) - half * unit_of(along), unit_of(along), half, 1.5 * m.u),
                  metal_color, ink_color, place.depth);
}

// Hatched bars across the guide where the slider meets them. rear, front: the ends of the slider where the joint is zero.
void draw_stops_in_space(MachineSketch& m, const SceneJoint& joint, const Vector3d& rear, const Vector3d& front,
                         const Vector3d& axis, SymbolPlace place) {
  const Point along = m.at.along(axis);
  if (length_of(along) < 0.2 || (joint.a.body < 0 && !m.look.ground)) return;
  for (const std::size_t end : {0, 1})
    if (const auto& stop = joint.stops[end]; stop)
      draw_stop(m.sketch, m.at((end == 0 ? rear : front) + *stop * axis), (end == 0 ? -1.0 : 1.0) * unit_of(along),
                1.8 * m.u, place);
}

// A line along which a block moves; of a body with a shape along its lower edge, out of it at both ends.
struct Rail {
  Vector3d from, to, block;       // block: the place on it where the block is
  double behind = 0, before = 0;  // how far the block reaches from there
  SymbolPlace place;
};

Rail rail_of(const MachineSketch& m, std::size_t k) {
  const SceneJoint& joint = m.scene.joints[k];
  const auto& [low, high] = m.look.travel[k];
  const Vector3d a = m.pose.place(joint.a), b = m.pose.place(joint.b), axis = m.pose.axis(joint);
  const Vector3d edge = lower_edge(m, joint.b.body, b, axis);
  const bool held = joint.spring || joint.damper || joint.drive == "cylinder";
  const double u = m.at.meters(m.u), least = m.is_shaped(joint.b.body) ? 0 : half_block * u;
  const double behind = std::max(least, reach(m, joint.b.body, b, -axis)),
               before = std::max(least, reach(m, joint.b.body, b, axis));
  return {a + edge + axis * (low - behind - ((joint.brake ? shoe_length : 0) + (held ? 9.4 : 3)) * u),
          a + edge + axis * (high + before + 3 * u),
          b + edge,
          behind,
          before,
          m.over(Sketch::elements, b + edge, m.is_shaped(joint.b.body) ? 2 : -2)};
}

// The line, and what holds it at its first end: a support, or a wall from which a spring or damper goes to the block.
void draw_guide_in_space(MachineSketch& m, const SceneJoint& joint, const Rail& rail) {
  const Point foot = m.at(rail.from), end = m.at(rail.to), along = unit_of(end - foot);
  m.sketch.line(rail.place.layer, "guide", {foot, end}, pitch_color, 0.3 * m.u, rail.place.depth,
                {3 * m.u, 0.9 * m.u, 0.6 * m.u, 0.9 * m.u});
  if (joint.a.body >= 0) return;
  const SliderElements elements = elements_of(m, joint);
  const Point wall = (elements.half_width() + 2.2) * m.u * across(along);
  elements.count() > 0 ? draw_hatch(m.sketch, foot - wall, foot + wall, -1.0 * along, rail.place)
                       : m.add_ground(rail.from);
}

void draw_rail(MachineSketch& m, std::size_t k, const std::string& fill) {
  const SceneJoint& joint = m.scene.joints[k];
  const Rail rail = rail_of(m, k);
  const Vector3d axis = m.pose.axis(joint), half = m.at.meters(half_block * m.u) * axis,
                 rear = rail.block - axis * rail.behind;
  const bool shaped = m.is_shaped(joint.b.body);
  if (joint.a.body >= 0 || m.look.ground) draw_guide_in_space(m, joint, rail);
  draw_cylinder(rail.block - half, rail.block + half, m.at.meters(1.2 * m.u), "slider", fill, ink_color,
                Sketch::machine, m.sketch, m.at.meters((shaped ? 3 : 1) * m.u));
  const Vector3d zero = rail.block - m.pose.slide(joint) * axis;
  draw_stops_in_space(m, joint, zero - axis * rail.behind, zero + axis * rail.before, axis, rail.place);
  draw_collar(m, joint, rear, axis, m.over(Sketch::elements, rail.block, 3));
  if (const SliderElements elements = elements_of(m, joint); elements.count() > 0)
    draw_side_by_side(m, elements, m.at(rail.from), m.at(rear), rail.place);
  if (joint.drive != "cylinder") draw_push_in_space(m, joint, m.pose.place(joint.b) + axis * rail.before, axis, m.u);
}

}  // namespace

bool pulls_out(const MachineSketch& m, const SceneJoint& joint) {
  if (!m.scene.plane.empty()) return false;
  const auto& [low, high] = m.look.travel[static_cast<std::size_t>(&joint - m.scene.joints.data())];
  const double nearest = low * high > 0 ? std::min(std::abs(low), std::abs(high)) : 0;
  return nearest * m.at.scale >= 4 * m.u && !(joint.a.body < 0 && m.is_shaped(joint.b.body));
}

// In space a slider is a tube that pulls out; on the ground, where the body has a shape of its own, a line along which it moves.
void draw_tube(MachineSketch& m, std::size_t k) {
  const SceneJoint& joint = m.scene.joints[k];
  const auto& [low, high] = m.look.travel[k];
  const Vector3d a = m.pose.place(joint.a), b = m.pose.place(joint.b), axis = m.pose.axis(joint);
  const double length = (b - a).norm(), nearest = low * high > 0 ? std::min(std::abs(low), std::abs(high)) : 0;
  const std::string fill = joint.driven       ? mark_color
                           : joint.b.body < 0 ? metal_color
                                              : m.look.colors.fill(joint.b.body);
  if (!pulls_out(m, joint)) return draw_rail(m, k, fill);
  const double part = 0.62 * nearest / length, middle = m.over(Sketch::machine, 0.5 * (a + b)).depth;
  m.sketch.area(Sketch::machine, "slider", capsule(m.at(a + 0.5 * part * (b - a)), m.at(b), 0.55 * m.u), fill,
                ink_color, middle - m.at.meters(0.5 * m.u));
  m.sketch.area(Sketch::machine, "slider", capsule(m.at(a), m.at(a + part * (b - a)), 1.05 * m.u),
                joint.a.body < 0 ? metal_color : m.look.colors.fill(joint.a.body),
                joint.a.body < 0 ? ink_color : m.look.colors.edge(joint.a.body), middle);
  if (joint.a.body < 0) m.add_ground(a);
  const SymbolPlace beside = m.over(Sketch::elements, 0.5 * (a + b), 2);
  draw_collar(m, joint, b - m.at.meters(m.u) * axis, axis, beside);
  if (length * m.at.scale > 6 * m.u) {
    if (joint.spring) draw_coil(m.sketch, m.at(a), m.at(b), beside, 1.9 * m.u);
    if (joint.damper && !joint.spring) draw_dashpot(m.sketch, m.at(a), m.at(b), beside);
  }
  draw_stops_in_space(m, joint, a, a, axis, beside);
  draw_push_in_space(m, joint, b, axis, 2 * m.u);
}

}  // namespace armature::internal::plot
