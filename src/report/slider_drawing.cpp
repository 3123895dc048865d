#include "report/slider_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "report/machine_colors.hpp"
#include "report/solids.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

// How far the shapes of a body reach from a point.
double extent_along(const MachineSketch& m, int body, const Point& from, const Point& along) {
  double reach = 0;
  for (const SceneShape& shape : m.scene.bodies[static_cast<std::size_t>(body)].shapes)
    for (const Vector3d& point : points_around(shape)) {
      const Point out = m.at(m.pose.on_body(body, {point.x(), point.y(), point.z()})) - from;
      reach = std::max(reach, out.x * along.x + out.y * along.y);
    }
  return reach;
}

// Whether a pinion drives the slider from this side.
bool has_pinion(const MachineSketch& m, const SceneJoint& joint, const Point& side) {
  return std::ranges::any_of(m.scene.couplings, [&](const SceneCoupling& coupling) {
    if (coupling.kind != "rack" || &m.scene.joints[static_cast<std::size_t>(coupling.b)] != &joint) return false;
    const Vector3d pinion = m.pose.place(m.scene.joints[static_cast<std::size_t>(coupling.a)].a);
    const Point out = m.at(pinion) - m.at(m.pose.place(joint.b));
    return out.x * side.x + out.y * side.y > 0;
  });
}

// The guide on the ground lies below the block, unless something hangs or turns there. which: 1 the side of the guide, -1 the other.
Point guide_side(const MachineSketch& m, const SceneJoint& joint, const Point& along, double which) {
  Point side = across(along);
  if (side.x * m.down.x + side.y * m.down.y < -1e-9) side = -1.0 * side;
  double hangs = 0;
  for (const SceneJoint& other : m.scene.joints) {
    const bool first = other.a.body == joint.b.body, second = other.b.body == joint.b.body;
    const int partner = first ? other.b.body : second ? other.a.body : -1;
    if (&other == &joint || partner < 0 || partner == joint.a.body) continue;
    for (const Vector3d& place : m.pose.reached(partner)) {
      const Point out = m.at(place) - m.at(m.pose.place(joint.b));
      if (length_of(out) > m.u) hangs += unit_of(out).x * side.x + unit_of(out).y * side.y;
    }
  }
  return (hangs > 0.9 || has_pinion(m, joint, side) ? -which : which) * side;
}

// Spring and damper of a slider: between its places where they stay apart, else from a post behind the way that it takes.
void draw_sliding_elements(MachineSketch& m, std::size_t k, const Point& along, double half_length) {
  const SceneJoint& joint = m.scene.joints[k];
  const SliderElements elements = elements_of(m, joint);
  if (elements.count() == 0) return;
  const auto& [low, high] = m.look.travel[k];
  const bool apart = low * high > 0 && std::min(std::abs(low), std::abs(high)) * m.at.scale > 8 * m.u;
  const Point zero = m.at(m.pose.place(joint.a)), block = m.at(m.pose.place(joint.b));
  const bool in_front = apart ? low < 0 : m.look.posts_in_front[k];
  const double sign = in_front ? -1 : 1;
  const double reach = m.is_shaped(joint.b.body) ? extent_along(m, joint.b.body, block, -sign * along) : half_length;
  const Point way_end = zero + ((in_front ? high : low) * m.at.scale) * along;
  const Point post = apart ? zero : way_end - (sign * (reach + 9.4 * m.u)) * along, end = block - reach * sign * along;
  const SymbolPlace place{Sketch::elements, 0};
  draw_side_by_side(m, elements, post, end, place);
  const Point wall = ((elements.half_width() + 2.2) * m.u) * across(along);
  if (!apart && joint.a.body < 0) draw_hatch(m.sketch, post - wall, post + wall, -sign * along, place);
  if (apart && joint.a.body < 0) m.add_ground(m.pose.place(joint.a));
}

// How far a slider reaches from its place, points.
struct SliderSize {
  double half_width, behind, before;
};

SliderSize size_of(const MachineSketch& m, const SceneJoint& joint, const Point& along) {
  if (!m.is_shaped(joint.b.body)) return {1.6 * m.u, 2.6 * m.u, 2.6 * m.u};
  const Point middle = m.at(m.pose.place(joint.b));
  const auto reach = [&](const Point& side) { return extent_along(m, joint.b.body, middle, side); };
  return {std::max(1.6 * m.u, reach(guide_side(m, joint, along, 1))), reach(-1.0 * along), reach(along)};
}

// The shoe of a brake: behind the block, on its guide.
void draw_shoe(MachineSketch& m, const SceneJoint& joint, const Point& along, const Point& side,
               const SliderSize& size) {
  const Point rear = m.at(m.pose.place(joint.b)) - (size.behind + 0.5 * shoe_length * m.u) * along;
  m.sketch.area(Sketch::elements, "brake",
                rectangle(rear + (size.half_width - 0.5 * m.u) * side, along, 0.5 * shoe_length * m.u, 0.6 * m.u),
                metal_color, ink_color);
}

// The guide reaches from the rear of the block at one end of its way to the front at the other; end stops are where the block meets them.
void draw_guide(MachineSketch& m, std::size_t k, const Point& along, const SliderSize& size) {
  const SceneJoint& joint = m.scene.joints[k];
  const bool grounded = joint.a.body < 0;
  if (grounded && !m.look.ground) return draw_sliding_elements(m, k, along, size.behind);
  const auto& [low, high] = m.look.travel[k];
  const Point zero = m.at(m.pose.place(joint.a)), side = guide_side(m, joint, along, 1);
  const double shoe = joint.brake ? shoe_length * m.u : 0;
  const Point from = zero + (low * m.at.scale - size.behind - shoe - 2 * m.u) * along;
  const Point to = zero + (high * m.at.scale + size.before + 2 * m.u) * along;
  const double gap = size.half_width + 0.3 * m.u;
  if (grounded) {
    draw_hatch(m.sketch, from + gap * side, to + gap * side, side, {Sketch::ground, 0});
  } else {
    const std::string color = m.look.colors.edge(joint.a.body);
    for (const double sign : {1.0, -1.0})
      m.sketch.line(Sketch::behind, "guide", {from + sign * gap * side, to + sign * gap * side}, color, 0.36 * m.u);
  }
  for (int end = 0; end < 2; ++end)
    if (joint.stops[static_cast<std::size_t>(end)]) {
      const double sign = end == 0 ? -1 : 1, reach = (end == 0 ? size.behind : size.before) + 0.1 * m.u;
      const Point stop = zero + (*joint.stops[static_cast<std::size_t>(end)] * m.at.scale + sign * reach) * along;
      draw_stop(m.sketch, stop, sign * along, m.is_shaped(joint.b.body) ? size.half_width : 1.5 * m.u,
                {Sketch::elements, 0});
    }
  if (joint.brake) draw_shoe(m, joint, along, side, size);
  draw_sliding_elements(m, k, along, size.behind);
}

// An arrow in front of what is driven; of a motor with an M.
void draw_push(MachineSketch& m, const SceneJoint& joint, const Point& from, const Point& along) {
  if (joint.a.body < 0 && !m.look.ground) return;
  m.sketch.arrow(Sketch::marks, joint.drive, from, from + 5.5 * m.u * along, mark_color, 0.36 * m.u);
  const Point side = guide_side(m, joint, along, -1);
  if (joint.drive == "motor") draw_motor_letter(m.sketch, from + 2.5 * m.u * along + 0.9 * m.u * side, side);
}

// Its block, where the body has no shape of its own.
void draw_block(MachineSketch& m, const SceneJoint& joint, const Point& along, const SliderSize& size) {
  const std::string own = joint.b.body < 0 ? metal_color : m.look.colors.fill(joint.b.body);
  m.sketch.area(Sketch::machine, "slider", rectangle(m.at(m.pose.place(joint.b)), along, size.before, size.half_width),
                joint.driven ? mark_color : own, joint.driven ? ink_color : m.look.colors.edge(joint.b.body), -1);
}

}  // namespace

SliderElements elements_of(const MachineSketch& m, const SceneJoint& joint) {
  const bool again = joint.a.body >= 0 || m.look.ground;
  return {joint.spring, joint.damper && (joint.spring || again), joint.drive == "cylinder" && again};
}

void draw_side_by_side(MachineSketch& m, const SliderElements& elements, const Point& post, const Point& block,
                       SymbolPlace place) {
  const Point side = m.u * across(unit_of(block - post)), first = elements.half_width() * side, step = 3 * side;
  Point at = first;
  if (elements.spring) draw_coil(m.sketch, post + at, block + at, place), at = at - step;
  if (elements.damper) draw_dashpot(m.sketch, post + at, block + at, place), at = at - step;
  if (elements.cylinder) draw_actuator(m.sketch, post + at, block + at, place);
  if (elements.count() < 2) return;
  for (const Point& end : {post, block})
    m.sketch.line(place.layer, elements.spring ? "spring" : "damper", {end + first, end - first}, ink_color, 0.26 * m.u,
                  place.depth);
}

// A block that slides, and its guide over the way that it takes.
void draw_slider(MachineSketch& m, std::size_t k) {
  const SceneJoint& joint = m.scene.joints[k];
  const Point along = unit_of(m.at.along(m.pose.axis(joint))), middle = m.at(m.pose.place(joint.b));
  const SliderSize size = size_of(m, joint, along);
  const bool shaped = m.is_shaped(joint.b.body);
  if (!shaped) draw_block(m, joint, along, size);
  if (joint.driven && shaped)
    m.sketch.area(Sketch::joints, "slider", rectangle(middle, along, m.u, 0.5 * m.u), mark_color, ink_color);
  if (joint.driven && joint.drive != "cylinder") draw_push(m, joint, middle + (size.before + 0.6 * m.u) * along, along);
  draw_guide(m, k, along, size);
}

}  // namespace armature::internal::plot
