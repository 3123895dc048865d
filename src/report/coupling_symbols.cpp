// Which symbols couplings have: gears, belts, racks, screws, worms, shafts and clutches between joints.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/symbol_shapes.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// What goes around the axis of a joint.
void set_round(const SceneJoint& joint, Symbol& symbol) {
  const Vector3d axis = to_vector(joint.axis).normalized(), first = axis.unitOrthogonal();
  symbol.along = SymbolDirection{joint.a.body, first}, symbol.across = SymbolDirection{joint.a.body, axis.cross(first)};
}

class CouplingSymbols {
 public:
  CouplingSymbols(MachineSketch& m, const SceneCoupling& coupling, std::vector<Symbol>& list)
      : m_(m), coupling_(coupling), list_(list), a_(joint(coupling.a)), b_(joint(coupling.b)) {}

  void add() {
    const std::string& kind = coupling_.kind;
    if (kind == "gear" || kind == "rack") add_wheel(coupling_.a, coupling_.radius_a);
    if (kind == "gear" || kind == "worm") add_wheel(coupling_.b, coupling_.radius_b);
    if (kind == "belt") add_belt();
    if (kind == "rack") add_rack();
    if (kind == "screw") add_thread_symbol(m_, coupling_.a, coupling_.b, 4, list_);
    if (kind == "worm") add_worm();
    if (kind == "shaft")
      add("shaft", out_of_shapes(coupling_.a), out_of_shapes(coupling_.b), {line({{0}, {1}}, "pitch", 0.7)});
    if (kind == "clutch") add_clutch();
  }

 private:
  const SceneJoint& joint(int index) const { return m_.scene.joints[static_cast<std::size_t>(index)]; }
  static Anchor at(int joint, Anchor::Side side) { return {true, static_cast<std::size_t>(joint), side}; }

  Symbol& add(const std::string& kind, const Anchor& from, std::optional<Anchor> to, SymbolShape shape) {
    return list_.emplace_back(Symbol{.kind = kind, .at = from, .to = std::move(to), .shape = std::move(shape)});
  }

  // A pitch circle, dash-dotted; a wheel without a shape is filled besides.
  void add_wheel(int index, double radius) {
    const SceneJoint& of = joint(index);
    SymbolPart circle = round_line(std::abs(radius), 0, 1, "pitch", 0.3);
    circle.dashed = true;
    const bool filled = of.b.body >= 0 && !m_.is_shaped(of.b.body) && coupling_.radius_a < 3 * coupling_.radius_b;
    if (filled) {
      SymbolPart disc = circle;
      disc.kind = SymbolPart::area, disc.color = "pale body " + std::to_string(of.b.body);
      Symbol& wheel = add("wheel", at(index, Anchor::a), {}, {disc});
      wheel.layer = Sketch::behind, set_round(of, wheel);
    }
    Symbol& gear = add("gear", at(index, Anchor::a), {}, {circle});
    gear.over = true, gear.lift = 4, set_round(of, gear);
  }

  // The strands touch both wheels; phi is the angle from the line between the axes to where they do.
  void add_belt() {
    const Anchor from = at(coupling_.a, Anchor::a), to = at(coupling_.b, Anchor::a);
    const Vector3d axis = m_.pose.axis(a_), gap = placed(m_, to) - placed(m_, from);
    const double ra = std::abs(coupling_.radius_a), rb = std::abs(coupling_.radius_b);
    const bool crossed = coupling_.radius_a * coupling_.radius_b < 0;
    const double cosine = (crossed ? ra + rb : ra - rb) / (gap - axis * axis.dot(gap)).norm();
    if (!(std::abs(cosine) < 1)) return;
    const double phi = std::acos(cosine);
    std::vector<Corner> belt;
    const auto add_arc = [&](double share, double radius, double begin, double end) {
      for (int k = 0; k <= 36; ++k) {
        const double angle = begin + (end - begin) * k / 36;
        belt.push_back({share, 0, 0, radius * std::cos(angle), radius * std::sin(angle)});
      }
    };
    add_arc(0, ra, phi, 2 * pi - phi);
    crossed ? add_arc(1, rb, pi - phi, phi - pi) : add_arc(1, rb, -phi, phi);
    belt.push_back(belt.front());
    add("belt", from, to, {line(std::move(belt), "ink", 0.55)}).about = coupling_.a;
  }

  // Teeth along a line that moves with the slider and touches the pinion, on the side of the slider.
  void add_rack() {
    const Vector3d C = m_.pose.place(a_.a), e = m_.pose.axis(b_), block = m_.pose.place(b_.b);
    Vector3d out = m_.pose.axis(a_).cross(e);
    if (out.dot(block - C) < 0) out = -out;
    const Vector3d touch = C + coupling_.radius_a * out - block;
    const double u = m_.at.meters(m_.u), slide = m_.pose.slide(b_);
    const auto& [low, high] = m_.look.travel[static_cast<std::size_t>(coupling_.b)];
    // over the way that the slider takes, and along its shapes
    const double from = slide - high - 4 * u, to = slide - low + 4 * u, middle = e.dot(touch);
    const double rear = -reach_of(m_, b_.b, -e) + u - middle, front = reach_of(m_, b_.b, e) - u - middle;
    const auto end = [&](double sign, bool is_shape, const SymbolLength& way) {
      Anchor place = at(coupling_.b, Anchor::b);
      SymbolLength along = is_shape ? SymbolLength{.u = -sign, .reach = sign} : way;
      if (!is_shape) along.m = middle + slide;
      place.shifts = {{in_first(b_, e), along}, {in_first(b_, out), {.m = out.dot(touch)}}};
      return place;
    };
    const Anchor first = end(-1, rear < from, {.u = -4, .high = -1}), last = end(1, front > to, {.u = 4, .low = -1});
    const double length = std::max(to, front) - std::min(from, rear);
    const int teeth = length > 5.2 * u ? static_cast<int>(std::min(length / (1.3 * u), 120.0)) : 4;
    std::vector<Corner> line_of_teeth;
    for (int k = 0; k <= 2 * teeth; ++k) line_of_teeth.push_back({k / (2.0 * teeth), 0, k % 2 ? 0.45 : -0.45});
    SymbolPart pitch = line({{0}, {1}}, "pitch", 0.2);
    pitch.dashed = true;
    add("rack", first, last, {line(std::move(line_of_teeth), "ink", 0.26), pitch}).lift = 4;
  }

  void add_worm() {
    const double half = 0.4 * coupling_.radius_b;
    const auto end = [&](double way) {
      Anchor place = at(coupling_.a, Anchor::a);
      place.shifts = {{to_vector(a_.axis).normalized(), {.m = way}}};
      return place;
    };
    const double turns = std::clamp(2 * half / (0.9 * m_.at.meters(m_.u)), 4.0, 8.0);
    const std::optional<RoundShape> shape = shape_about(m_.pose, a_);
    const double radius = std::max(coupling_.radius_a, shape ? shape->radius : 0);
    Symbol& worm =
        add("screw", end(-half), end(half), {round_line(radius, 0.2, static_cast<int>(turns), "pitch", 0.26)});
    worm.about = coupling_.a, set_round(a_, worm);
  }

  // Where the shaft comes out of the shapes on a joint.
  Anchor out_of_shapes(int index) const {
    Anchor place = at(index, Anchor::b);
    const SceneJoint &of = joint(index), &other = joint(index == coupling_.a ? coupling_.b : coupling_.a);
    const Vector3d way = m_.pose.place(other.b) - m_.pose.place(of.b);
    const double facing = m_.pose.axis(of).dot(way.normalized());
    const auto reach = [&](const SceneJoint& joint, double sign) { return joint.shaft[sign > 0 ? 1 : 0]; };
    const double both = reach(of, facing) + reach(other, -m_.pose.axis(other).dot(way));
    if (std::abs(facing) > 0.999 && !m_.flat && both < way.norm())
      place.shifts = {{to_vector(of.axis).normalized(), {.m = (facing > 0 ? 1 : -1) * reach(of, facing)}}};
    return place;
  }
  // Two plates across the shaft, face to face; over all bodies, since a disc in front would hide them. Dashes show the shaft there.
  void add_clutch() {
    const Anchor from = out_of_shapes(coupling_.a), to = out_of_shapes(coupling_.b);
    add("shaft", from, to, {line({{0}, {1}}, "pitch", 0.7)});
    SymbolPart inside = line({{0}, {1}}, "pitch", 0.25);
    inside.dashed = true;
    if (!m_.flat) add("shaft", from, to, {inside}).over = true;
    for (const double way : {-0.45, 0.45})
      add("clutch", from, to, {line({{0.5, way, -2.2}, {0.5, way, 2.2}}, "ink", 0.5)}).over = true;
  }

  Vector3d in_first(const SceneJoint& of, const Vector3d& along) const { return m_.pose.in_body(of.a.body, along); }

  MachineSketch& m_;
  const SceneCoupling& coupling_;
  std::vector<Symbol>& list_;
  const SceneJoint &a_, &b_;
};

}  // namespace

void add_thread_symbol(MachineSketch& m, int screw, int nut, double beyond, std::vector<Symbol>& list) {
  const SceneJoint& of = m.scene.joints[static_cast<std::size_t>(screw)];
  const auto& [low, high] = m.look.travel[static_cast<std::size_t>(nut)];
  const std::optional<RoundShape> shape = shape_about(m.pose, of);
  const double turns = std::clamp((high - low) / (0.9 * m.at.meters(m.u)) + beyond / 0.45, 4.0, 60.0);
  const Vector3d axis = m.pose.in_body(m.scene.joints[static_cast<std::size_t>(nut)].a.body, m.pose.axis(of));
  const auto end = [&](SymbolLength length) {
    return Anchor{true, static_cast<std::size_t>(nut), Anchor::a, {{axis, length}}};
  };
  Symbol symbol{
      .kind = "screw",
      .at = end({.u = -beyond, .low = 1}),
      .to = end({.u = beyond, .high = 1}),
      .about = screw,
      .shape = {round_line(shape ? shape->radius : 0, shape ? 0.2 : 1, static_cast<int>(turns), "pitch", 0.26)}};
  set_round(of, symbol);
  list.push_back(std::move(symbol));
}

// The screw itself, without its handwheel.
std::optional<RoundShape> shape_about(const PosedScene& pose, const SceneJoint& joint) {
  std::optional<RoundShape> thinnest;
  const Vector3d at = pose.place(joint.a), axis = pose.axis(joint);
  for (const int body : {joint.a.body, joint.b.body}) {
    if (body < 0) continue;
    for (const SceneShape& shape : pose.scene().bodies[static_cast<std::size_t>(body)].shapes) {
      const Vector3d from = pose.on_body(body, shape.from), to = pose.on_body(body, shape.to);
      const bool around = shape.radius > 0 && from != to &&
                          std::max((from - at).cross(axis).norm(), (to - at).cross(axis).norm()) < shape.radius;
      if (around && (!thinnest || shape.radius < thinnest->radius)) thinnest = {shape.radius, 0.5 * (from + to)};
    }
  }
  return thinnest;
}

void add_coupling_symbols(MachineSketch& m, std::vector<Symbol>& list) {
  for (const SceneCoupling& coupling : m.scene.couplings) CouplingSymbols(m, coupling, list).add();
}

}  // namespace armature::internal::plot
