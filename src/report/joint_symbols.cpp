// Which symbols joints have that do not slide, and lines between bodies.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "report/symbol_shapes.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Once at each place, since joints of a hip share theirs.
bool is_new(MachineSketch& m, std::vector<Vector3d>& known, const Vector3d& at) {
  if (std::ranges::any_of(known, [&](const Vector3d& other) { return (other - at).norm() * m.at.scale < 0.1; }))
    return false;
  known.push_back(at);
  return true;
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

// Smaller where another joint is near.
double symbol_size(const MachineSketch& m, const SceneJoint& joint) {
  const Vector3d at = m.pose.place(joint.b);
  double nearest = std::numeric_limits<double>::infinity();
  for (const SceneJoint& other : m.scene.joints)
    if (const double way = (m.pose.place(other.b) - at).norm(); way * m.at.scale > 0.5 * m.u)
      nearest = std::min(nearest, way);
  return std::clamp(nearest * m.at.scale / (9 * m.u), 0.5, 1.0);
}

// Into which direction the body that is fixed to the ground leaves the joint; up where that is not seen.
Vector3d way_out(const MachineSketch& m, const SceneJoint& joint, const Vector3d& at) {
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
  return m.in_space(length_of(way) > 1e-6 ? unit_of(way) : -1.0 * m.down);
}

class JointSymbols {
 public:
  JointSymbols(MachineSketch& m, std::size_t k, std::vector<Symbol>& list)
      : m_(m), joint_(m.scene.joints[k]), at_{true, k}, list_(list) {}

  void add() {
    if (joint_.glyph == "weld") return add_weld();
    if (on_ground()) {
      Anchor ground = outside();
      ground.side = joint_.a.body < 0 ? Anchor::a : Anchor::b;
      add_support(m_, ground, list_);
    }
    if (joint_.glyph == "pin") add_turning_elements();
    if (joint_.brake) add_brake();
    if (joint_.stop_arm) add_stops();
    if (joint_.driven) add_drive();
    if (joint_.glyph == "screw" && !m_.flat) add_thread_symbol(m_, index(), index(), 3, list_);
    add_pin();
  }

 private:
  bool on_ground() const { return joint_.a.body < 0 || joint_.b.body < 0; }
  bool has_stub() const { return !m_.flat && joint_.shaft[0] + joint_.shaft[1] > 0; }

  // Along the axis; the shapes of the bodies hide a pin.
  Anchor along_axis(double m, double units) const {
    Anchor at = at_;
    at.shifts = {{to_vector(joint_.axis).normalized(), {.m = m, .u = units}}};
    return at;
  }
  // In space where the shaft comes out of the shapes, towards the reader.
  Anchor outside() const {
    if (!has_stub()) return at_;
    const bool first = m_.pose.axis(joint_).dot(m_.at.projection.towards) < 0;
    const double sign = first ? -1 : 1;
    return along_axis(sign * joint_.shaft[first ? 0 : 1], sign * 0.8);
  }
  Symbol& add(const std::string& kind, Sketch::Layer layer, double lift, const Anchor& at, SymbolShape shape) {
    return list_.emplace_back(Symbol{.kind = kind, .layer = layer, .lift = lift, .at = at, .shape = std::move(shape)});
  }

  // What is fixed to the ground sticks out of a wall.
  void add_weld() {
    if (!on_ground()) {
      add("pin", Sketch::joints, 1, at_, {disc(0.35, "metal", "ink")});
    } else if (m_.look.ground) {
      Symbol& symbol = add("ground", Sketch::ground, -1, at_, wall(3.2, -1));
      symbol.along = SymbolDirection{-1, way_out(m_, joint_, placed(m_, at_))}, symbol.base = true;
    }
  }

  void add_turning_elements() {
    const Anchor at = outside();
    const Vector3d place = placed(m_, at);
    const double size = symbol_size(m_, joint_);
    if (joint_.spring && is_new(m_, m_.springs, place))
      add("torsion_spring", Sketch::elements, 3, at, torsion_spring(size)).about = index();
    if (!joint_.damper || (joint_.a.body < 0 && !m_.look.ground) || !is_new(m_, m_.dampers, place)) return;
    const bool lettered = joint_.drive == "motor", beside = joint_.spring || joint_.driven;
    const Point side =
        lettered ? free_side(m_, joint_, place, {free_side(m_, joint_, place)}) : free_side(m_, joint_, place);
    Symbol& symbol = add("damper", Sketch::elements, 3, at, torsion_damper(beside ? 3.6 : 1.7, size));
    symbol.about = index(), symbol.along = SymbolDirection{-1, m_.in_space(side)};
  }

  // A shoe on the rim of the wheel, hatched where the ground holds it.
  void add_brake() {
    const double u = m_.at.meters(m_.u);
    const Vector3d axis = m_.pose.axis(joint_);
    Vector3d up = m_.at.projection.up - axis * axis.dot(m_.at.projection.up);
    if (up.norm() < 0.1) up = axis.unitOrthogonal();
    const bool is_wide = *joint_.brake > 2.6 * u;
    Symbol& symbol = add("brake", Sketch::elements, 3, outside(),
                         brake_shoe(is_wide ? *joint_.brake : 0, is_wide ? *joint_.brake / u : 2.6, joint_.a.body < 0));
    symbol.along = SymbolDirection{-1, up.normalized()};
    symbol.across = SymbolDirection{-1, axis.cross(symbol.along->along)};
  }

  // Hatched bars beside the arm where it meets its end stops.
  void add_stops() {
    const SceneJoint::StopArm& on = *joint_.stop_arm;
    if (on.body < 0 && !m_.look.ground) return;
    for (int end = 0; end < 2; ++end) {
      if (!joint_.stops[static_cast<std::size_t>(end)]) continue;
      Symbol& symbol = add("stop", Sketch::elements, 1, at_, {hatch({0, 3.2, 1.05}, {0, 6.2, 1.05}, {0, 0, 1})});
      symbol.along = SymbolDirection{on.body, to_vector(on.arm)}, symbol.stop = end;
      symbol.across = SymbolDirection{on.body, (end == 0 ? -1 : 1) * to_vector(on.axis).cross(to_vector(on.arm))};
    }
  }

  void add_drive() {
    const Anchor at = outside();
    if (joint_.drive == "motor" && (joint_.a.body >= 0 || m_.look.ground)) {
      Symbol& symbol = add("motor", Sketch::behind, -1, at, motor());
      symbol.depth = 1, symbol.along = SymbolDirection{-1, m_.in_space(free_side(m_, joint_, placed(m_, at)))};
    } else if (joint_.drive != "motor" && m_.look.ground) {
      add(joint_.drive, Sketch::marks, 0, at, turning_arrow()).about = index();
    }
  }

  void add_pin() {
    const std::string color = joint_.driven ? "mark" : m_.flat ? "paper" : "pin";
    if (has_stub()) {
      for (const std::size_t end : {0, 1}) add_rod(end == 0 ? -1 : 1, joint_.shaft[end], 0, 1.6, color);
    } else if (!m_.flat && (joint_.glyph == "pin" || joint_.glyph == "screw")) {
      add_rod(1, 0, -1.5, 1.5, color);
    } else {
      SymbolPart pin = disc(m_.flat ? 0.66 : 1.2, color, "ink");
      if (!m_.flat) pin.kind = SymbolPart::ball;
      add("pin", Sketch::joints, 2, at_, {pin});
    }
  }
  void add_rod(double sign, double m, double from, double to, const std::string& color) {
    const bool near = sign * m_.pose.axis(joint_).dot(m_.at.projection.towards) > 0;
    Symbol& symbol =
        add("pin", Sketch::machine, m == 0 || near ? 2 : 0, along_axis(sign * m, sign * from), {rod(1.1, color)});
    symbol.to = along_axis(sign * m, sign * to);
  }

  int index() const { return static_cast<int>(at_.index); }

  MachineSketch& m_;
  const SceneJoint& joint_;
  const Anchor at_;
  std::vector<Symbol>& list_;
};

}  // namespace

void add_support(MachineSketch& m, const Anchor& at, std::vector<Symbol>& list) {
  if (!m.look.ground || !is_new(m, m.grounds, placed(m, at))) return;
  Symbol symbol{.kind = "ground", .layer = Sketch::ground, .lift = -1, .at = at, .base = true, .shape = support()};
  symbol.along = SymbolDirection{-1, m.in_space(m.down)};
  list.push_back(std::move(symbol));
}

// A strand of a rope goes on at a pulley where another one follows.
void add_link_symbols(MachineSketch& m, std::vector<Symbol>& list) {
  for (std::size_t k = 0; k < m.scene.links.size(); ++k) {
    const SceneLink& link = m.scene.links[k];
    const Anchor ends[] = {{false, k, Anchor::a}, {false, k, Anchor::b}};
    const double length = length_of(m.at(placed(m, ends[1])) - m.at(placed(m, ends[0]))) / m.u;
    const auto add = [&](Sketch::Layer layer, double lift, SymbolShape shape) {
      list.push_back(
          {.kind = link.kind, .layer = layer, .lift = lift, .at = ends[0], .to = ends[1], .shape = std::move(shape)});
    };
    const auto add_at = [&](std::size_t end, const std::string& kind, double lift, SymbolShape shape) {
      list.push_back({.kind = kind, .layer = Sketch::joints, .lift = lift, .at = ends[end], .shape = std::move(shape)});
    };
    for (const Anchor& end : ends)
      if (scene_place(m.scene, end).body < 0 && link.kind != "bushing") add_support(m, end, list);
    if (link.kind == "bushing") {
      add_at(1, link.kind, 0, bushing()), list.back().over = true;
      continue;
    }
    if (link.kind == "rope") add(Sketch::elements, 0, {line({{}, {1}}, "ink", 0.35)});
    if (link.kind == "spring") add(Sketch::elements, 1, coil(length));
    if (link.kind == "damper") add(Sketch::elements, 1, dashpot());
    if (link.kind == "gas_spring") add(Sketch::elements, 1, barrel("pale metal", "ink", 0.95, 0.5));
    if (link.kind == "spring_damper") {
      add(Sketch::elements, 1, beside(coil(length), 1.5) + joined(1.5, -1.5)), list.back().kind = "spring";
      add(Sketch::elements, 1, beside(dashpot(), -1.5)), list.back().kind = "damper";
    }
    if (link.kind == "distance")
      add(Sketch::machine, 1, {line({{}, {1}}, "ink", 1.1), line({{}, {1}}, "pale metal", 0.7)}),
          list.back().kind = "rod";
    const bool goes_on = link.kind == "rope" && k + 1 < m.scene.links.size() && m.scene.links[k + 1].name == link.name;
    if (goes_on) add_at(1, "pulley", 2, {disc(1.5, "pale metal", "ink")});
    for (const std::size_t end : {0, 1})
      if (link.kind != "rope" || end == 1) add_at(end, "pin", 2, {disc(0.45, "paper", "ink")});
  }
}

std::vector<Symbol> symbols_of(MachineSketch& m) {
  std::vector<Symbol> list;
  add_coupling_symbols(m, list);
  add_link_symbols(m, list);
  for (std::size_t k = 0; k < m.scene.joints.size(); ++k) {
    if (m.scene.joints[k].glyph == "slider")
      add_slider_symbols(m, k, list);
    else if (!m.scene.joints[k].glyph.empty())
      JointSymbols(m, k, list).add();
  }
  return list;
}

}  // namespace armature::internal::plot
