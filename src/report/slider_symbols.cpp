// Which symbols a prismatic joint has: in a plane a block on its guide; in space a tube that pulls out, or, where it would not or where
// the body on the ground has a shape of its own, a block on a line.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "report/solids.hpp"
#include "report/symbol_shapes.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr double shoe_length = 2.4;    // of a brake behind a slider, units
constexpr double post_distance = 9.4;  // of a post from the slider that comes nearest, units

class SliderSymbols {
 public:
  SliderSymbols(MachineSketch& m, std::size_t k, std::vector<Symbol>& list)
      : m_(m),
        joint_(m.scene.joints[k]),
        k_(k),
        list_(list),
        axis_(m.pose.axis(joint_)),
        again_(joint_.a.body >= 0 || m.look.ground),
        shaped_(m.is_shaped(joint_.b.body)) {}

  void add() {
    if (m_.flat) return add_in_plane();
    pulls_out(m_, joint_) ? add_tube() : add_rail();
  }

 private:
  // ---- places

  Anchor at(Anchor::Side side, SymbolLength along = {}, SymbolLength across = {}) const {
    Anchor place{true, k_, side, {{in_first(axis_), along}}};
    if (side_) place.shifts.push_back({in_first(*side_), across});
    place.shifts.insert(place.shifts.end(), edge_.begin(), edge_.end());
    return place;
  }
  Vector3d in_first(const Vector3d& along) const { return m_.pose.in_body(joint_.a.body, along); }

  // The ends of the block: of its shapes, else so many units.
  SymbolLength end_of(double sign, double units, double beyond = 0) const {
    return {.u = sign * beyond, .reach = sign, .least = shaped_ ? 0 : units};
  }

  Symbol& add(const std::string& kind, Sketch::Layer layer, double lift, const Anchor& from, SymbolShape shape) {
    return list_.emplace_back(
        Symbol{.kind = kind, .layer = layer, .lift = lift, .at = from, .shape = std::move(shape)});
  }
  Symbol& add_between(const std::string& kind, Sketch::Layer layer, double lift, const Anchor& from, const Anchor& to,
                      SymbolShape shape) {
    Symbol& symbol = add(kind, layer, lift, from, std::move(shape));
    symbol.to = to;
    return symbol;
  }
  Symbol& add_along(const std::string& kind, Sketch::Layer layer, double lift, const Anchor& from, SymbolShape shape,
                    double sign = 1) {
    Symbol& symbol = add(kind, layer, lift, from, std::move(shape));
    symbol.along = SymbolDirection{joint_.a.body, sign * in_first(axis_)};
    return symbol;
  }

  std::string color_of(int body) const { return body < 0 ? "metal" : "body " + std::to_string(body); }
  std::string edge_of(int body) const { return "edge " + std::to_string(body); }

  // ---- what acts along the guide

  // On the ground a damper and a cylinder are drawn in the first of several poses alone.
  bool has_damper() const { return joint_.damper && (joint_.spring || again_); }
  bool has_cylinder() const { return joint_.drive == "cylinder" && again_; }
  int elements() const { return joint_.spring + has_damper() + has_cylinder(); }
  double outer() const { return 1.5 * (elements() - 1); }  // units from the middle to the outer ones

  // Side by side across the way from a post to the block; lines join their ends.
  void add_elements(double lift, const Anchor& post, const Anchor& end) {
    double side = outer();
    const double length = (placed(m_, end) - placed(m_, post)).norm() / m_.at.meters(m_.u);
    const auto add_one = [&](const std::string& kind, const SymbolShape& shape) {
      add_between(kind, Sketch::elements, lift, post, end, beside(shape, side)), side -= 3;
    };
    if (joint_.spring) add_one("spring", coil(length));
    if (has_damper()) add_one("damper", dashpot());
    if (has_cylinder()) add_one("cylinder", barrel("pale mark", "mark", 1.1, 0.6));
    if (elements() > 1)
      add_between(joint_.spring ? "spring" : "damper", Sketch::elements, lift, post, end, joined(outer(), -outer()));
  }

  // An arrow in front of what is driven; of a motor with an M on a side: 1 to the right of the axis.
  void add_push(const Anchor& from, double gap, double length, double side) {
    if (!joint_.driven || !again_) return;
    Anchor tail = from;
    tail.shifts[0].length.u += gap;
    add_along(joint_.drive, Sketch::marks, 0, tail, arrow(length, "mark", 0.36));
    if (joint_.drive == "motor") list_.back().shape.push_back(letter({0, 2.5, 0}, {0, 2.5, 0.9 * side}));
  }

  // ---- in a plane

  // The guide on the ground lies below the block, unless something hangs or turns there.
  Vector3d guide_side() const {
    const Point along = unit_of(m_.at.along(axis_)), block = m_.at(m_.pose.place(joint_.b));
    Point side = across(along);
    if (side.x * m_.down.x + side.y * m_.down.y < -1e-9) side = -1.0 * side;
    double hangs = 0;
    for (const SceneJoint& other : m_.scene.joints) {
      const bool first = other.a.body == joint_.b.body, second = other.b.body == joint_.b.body;
      const int partner = first ? other.b.body : second ? other.a.body : -1;
      if (&other == &joint_ || partner < 0 || partner == joint_.a.body) continue;
      for (const Vector3d& place : m_.pose.reached(partner)) {
        const Point out = m_.at(place) - block;
        if (length_of(out) > m_.u) hangs += unit_of(out).x * side.x + unit_of(out).y * side.y;
      }
    }
    return m_.in_space(hangs > 0.9 || has_pinion(side) ? -1.0 * side : side);
  }
  bool has_pinion(const Point& side) const {
    return std::ranges::any_of(m_.scene.couplings, [&](const SceneCoupling& coupling) {
      if (coupling.kind != "rack" || static_cast<std::size_t>(coupling.b) != k_) return false;
      const Vector3d pinion = m_.pose.place(m_.scene.joints[static_cast<std::size_t>(coupling.a)].a);
      const Point out = m_.at(pinion) - m_.at(m_.pose.place(joint_.b));
      return out.x * side.x + out.y * side.y > 0;
    });
  }

  void add_in_plane() {
    side_ = guide_side();
    const Point along = unit_of(m_.at.along(axis_)), side = m_.at.along(*side_);
    right_ = side.x * across(along).x + side.y * across(along).y > 0 ? 1 : -1;  // of the axis
    if (!shaped_) {
      add_along("slider", Sketch::machine, 0, at(Anchor::b),
                {block(2.6, 1.6, joint_.driven ? "mark" : color_of(joint_.b.body),
                       joint_.driven ? "ink" : edge_of(joint_.b.body))})
          .depth = -1;
    } else if (joint_.driven) {
      add_along("slider", Sketch::joints, 0, at(Anchor::b), {block(1, 0.5, "mark", "ink")});
    }
    if (joint_.drive != "cylinder") add_push(at(Anchor::b, end_of(1, 2.6)), 0.6, 5.5, -right_);
    if (again_) add_guide();
    add_sliding_elements();
  }

  // From the rear of the block at one end of its way to the front at the other; end stops are where the block meets them.
  void add_guide() {
    const SymbolLength gap{.u = 0.3, .reach = 1, .least = 1.6};
    SymbolLength from = end_of(-1, 2.6, 2 + (joint_.brake ? shoe_length : 0)), to = end_of(1, 2.6, 2);
    from.low = to.high = 1;
    if (joint_.a.body < 0) {
      add_between("ground", Sketch::ground, 0, at(Anchor::a, from, gap), at(Anchor::a, to, gap),
                  {hatch({0}, {1}, {0, 0, right_})});
    } else {
      const double reach = reach_of(m_, joint_.b, *side_), wide = std::max(1.6 * m_.at.meters(m_.u), reach);
      const SymbolLength other = shaped_ ? SymbolLength{.m = -wide, .u = -0.3} : SymbolLength{.u = -1.9};
      for (const SymbolLength& lane : {gap, other})
        add_between("guide", Sketch::behind, 0, at(Anchor::a, from, lane), at(Anchor::a, to, lane),
                    {line({{0}, {1}}, edge_of(joint_.a.body), 0.36)});
    }
    const double wide = shaped_ ? 1.6 : 1.5;
    for (int end = 0; end < 2; ++end) {
      if (!joint_.stops[static_cast<std::size_t>(end)]) continue;
      const double sign = end == 0 ? -1 : 1;
      SymbolLength stop = end_of(sign, 2.6, 0.1);
      stop.stop = end;
      const auto rim = [&](double way) {
        return at(Anchor::a, stop, shaped_ ? SymbolLength{.reach = way, .least = wide} : SymbolLength{.u = way * wide});
      };
      add_between("stop", Sketch::elements, 0, rim(-1), rim(1), {hatch({0}, {1}, {0, 0, -sign * right_})});
    }
    if (joint_.brake)
      add_along("brake", Sketch::elements, 0,
                at(Anchor::b, end_of(-1, 2.6, 0.5 * shoe_length), {.u = -0.5, .reach = 1, .least = 1.6}),
                {block(0.5 * shoe_length, 0.6, "metal", "ink")});
  }

  // Between the places of the joint where they stay apart, else from a post behind the way that it takes.
  void add_sliding_elements() {
    if (elements() == 0) return;
    const auto& [low, high] = m_.look.travel[k_];
    const bool apart = low * high > 0 && std::min(std::abs(low), std::abs(high)) * m_.at.scale > 8 * m_.u;
    const bool in_front = apart ? low < 0 : m_.look.posts_in_front[k_];
    const double sign = in_front ? -1 : 1;
    SymbolLength post = end_of(-sign, 2.6, post_distance);
    (in_front ? post.high : post.low) = 1;
    const Anchor from = at(Anchor::a, apart ? SymbolLength{} : post);
    add_elements(0, from, at(Anchor::b, end_of(-sign, 2.6)));
    if (joint_.a.body >= 0) return;
    if (apart) return add_support(m_, {true, k_, Anchor::a}, list_);
    add_along("ground", Sketch::elements, 0, from, wall(outer() + 2.2, -1), sign);
  }

  // ---- in space

  void add_stops_in_space(const SymbolLength& rear, const SymbolLength& front, double lift) {
    if (!again_) return;
    for (int end = 0; end < 2; ++end) {
      if (!joint_.stops[static_cast<std::size_t>(end)]) continue;
      SymbolLength stop = end == 0 ? rear : front;
      stop.stop = end;
      add_along("stop", Sketch::elements, lift, at(Anchor::a, stop), wall(1.8, 1), end == 0 ? -1 : 1);
    }
  }
  // A brake is a collar behind the block.
  void add_collar(SymbolLength front, double lift) {
    front.u -= 0.5 * shoe_length;
    if (joint_.brake)
      add_along("brake", Sketch::elements, lift, at(Anchor::b, front), {block(0.5 * shoe_length, 1.5, "metal", "ink")});
  }
  // The M is above the arrow.
  double above() const { return m_.at.along(axis_).x < 0 ? 1 : -1; }

  void add_tube() {
    const auto& [low, high] = m_.look.travel[k_];
    const bool positive = low > 0;
    const auto share = [&](double part) { return positive ? SymbolLength{.low = part} : SymbolLength{.high = part}; };
    const std::string color = joint_.driven ? "mark" : color_of(joint_.b.body);
    add_between("slider", Sketch::machine, -0.5, at(Anchor::a, share(0.31)), at(Anchor::b), {rod(0.65, color)});
    add_between("slider", Sketch::machine, 0, at(Anchor::a), at(Anchor::a, share(0.62)),
                {rod(1.15, color_of(joint_.a.body))});
    if (joint_.a.body < 0) add_support(m_, {true, k_, Anchor::a}, list_);
    add_collar({.u = -1}, 2);
    const double length = (m_.pose.place(joint_.b) - m_.pose.place(joint_.a)).norm() / m_.at.meters(m_.u);
    if (length > 6 && joint_.spring)
      add_between("spring", Sketch::elements, 2, at(Anchor::a), at(Anchor::b), coil(length, 1.9));
    if (length > 6 && joint_.damper)
      add_between("damper", Sketch::elements, 2, at(Anchor::a), at(Anchor::b), beside(dashpot(), 3) + joined(0, 3));
    add_stops_in_space({}, {}, 2);
    add_push(at(Anchor::b), 2, 5, above());
  }

  // The line lies along the lower edge of a body with a shape, in front, out of it at both ends.
  void add_rail() {
    if (shaped_) set_edge();
    const double lift = shaped_ ? 2 : -2, least = 1.4;
    SymbolLength from = end_of(-1, least, (joint_.brake ? shoe_length : 0) + (elements() > 0 ? post_distance : 3)),
                 to = end_of(1, least, 3);
    from.low = to.high = 1;
    const Anchor post = at(Anchor::a, from);
    if (again_) {
      SymbolPart guide = line({{0}, {1}}, "pitch", 0.3);
      guide.dashed = true;
      add_between("guide", Sketch::elements, lift, post, at(Anchor::a, to), {guide});
      if (joint_.a.body < 0 && elements() > 0)
        add_along("ground", Sketch::elements, lift, post, wall(outer() + 2.2, -1));
      else if (joint_.a.body < 0)
        add_support(m_, post, list_);
    }
    add_between("slider", Sketch::machine, shaped_ ? 3 : 1, at(Anchor::b, {.u = -1.4}), at(Anchor::b, {.u = 1.4}),
                {rod(1.2, joint_.driven ? "mark" : color_of(joint_.b.body))});
    add_stops_in_space(end_of(-1, least), end_of(1, least), lift);
    add_collar(end_of(-1, least), 3);
    if (elements() > 0) add_elements(lift, post, at(Anchor::b, end_of(-1, least)));
    edge_.clear();
    if (joint_.drive != "cylinder") add_push(at(Anchor::b, end_of(1, least)), 1, 5, above());
  }
  void set_edge() {
    const bool falls = m_.scene.gravity && to_vector(*m_.scene.gravity).norm() > 0;
    const Vector3d down = falls ? to_vector(*m_.scene.gravity).normalized() : -Vector3d::UnitZ();
    const auto to_reader = [&](const Vector3d& x) { return x.dot(m_.at.projection.towards) < 0 ? Vector3d(-x) : x; };
    Vector3d below = down - axis_ * axis_.dot(down);
    if (below.norm() < 0.3)
      below = to_reader(std::abs(axis_.x()) < 0.9 ? Vector3d::UnitX().cross(axis_) : Vector3d::UnitY().cross(axis_));
    below.normalize();
    for (const Vector3d& side : {below, to_reader(axis_.cross(below))}) edge_.push_back({in_first(side), {.reach = 1}});
  }

  MachineSketch& m_;
  const SceneJoint& joint_;
  const std::size_t k_;
  std::vector<Symbol>& list_;
  const Vector3d axis_;
  const bool again_;  // what stands on the ground is drawn in this pose
  const bool shaped_;
  std::optional<Vector3d> side_ = {};   // of the guide, in a plane
  double right_ = 1;                    // 1: it is to the right of the axis
  std::vector<SymbolShift> edge_ = {};  // where a line in space lies
};

}  // namespace

bool pulls_out(const MachineSketch& m, const SceneJoint& joint) {
  if (!m.scene.plane.empty()) return false;
  const auto& [low, high] = m.look.travel[static_cast<std::size_t>(&joint - m.scene.joints.data())];
  const double nearest = low * high > 0 ? std::min(std::abs(low), std::abs(high)) : 0;
  return nearest * m.at.scale >= 4 * m.u && !(joint.a.body < 0 && m.is_shaped(joint.b.body));
}

double reach_of(const MachineSketch& m, const ScenePlace& place, const Vector3d& along) {
  if (place.body < 0) return 0;
  double most = 0;
  const Vector3d from = m.pose.place(place);
  for (const SceneShape& shape : m.scene.bodies[static_cast<std::size_t>(place.body)].shapes)
    for (const Vector3d& point : points_around(shape))
      most = std::max(most, along.dot(m.pose.on_body(place.body, {point.x(), point.y(), point.z()}) - from));
  return most;
}

void add_slider_symbols(MachineSketch& m, std::size_t k, std::vector<Symbol>& list) { SliderSymbols(m, k, list).add(); }

}  // namespace armature::internal::plot
