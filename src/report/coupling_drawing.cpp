#include "report/coupling_drawing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "report/machine_colors.hpp"
#include "report/solids.hpp"
#include "report/space_line.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// The thinnest round shape about the axis of a joint: the screw itself, without its handwheel.
struct RoundShape {
  double radius = 0;  // m
  Vector3d middle;
};
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

// A thread with a turn for each unit, up to so many of them. radius: m
std::vector<Vector3d> helix(const Vector3d& from, const Vector3d& along, double radius, const Sketch& sketch,
                            double most_turns = 60) {
  const double m = sketch.at.meters(sketch.u), r = radius;
  const int pieces = 16 * static_cast<int>(std::clamp(along.norm() / (0.9 * m), 4.0, most_turns));
  const Vector3d first = along.unitOrthogonal(), second = along.normalized().cross(first);
  std::vector<Vector3d> points;
  for (int k = 0; k <= pieces; ++k) {
    const double angle = 2 * pi * k / 16;
    points.emplace_back(from + along * k / pieces + r * (std::cos(angle) * first + std::sin(angle) * second));
  }
  return points;
}

// On the screw, where it has a shape, it is seen as far as that is: its front is over the screw, its back behind.
void draw_helix(const PosedScene& pose, const SceneJoint& screw, const std::vector<Vector3d>& thread, Sketch& sketch) {
  const std::optional<RoundShape> shape = shape_about(pose, screw);
  const Vector3d at = pose.place(screw.a), axis = pose.axis(screw);
  const double step = sketch.at.meters(0.1 * sketch.u);
  const auto depth_of = [&](const Vector3d& place) {
    const auto depth = [&](const Vector3d& x) { return sketch.at.projection.depth(x); };
    if (!shape) return depth(place);
    const Vector3d middle = at + axis * axis.dot(place - at);
    return depth(shape->middle) + (depth(place) > depth(middle) ? step : -step);
  };
  draw_space_line(sketch, "screw", thread, {pitch_color, 0.26 * sketch.u}, depth_of);
}

// A little outside of the screw; of one without a shape, a unit.
double thread_radius(const PosedScene& pose, const SceneJoint& screw, const Sketch& sketch) {
  const std::optional<RoundShape> shape = shape_about(pose, screw);
  return shape ? shape->radius + sketch.at.meters(0.2 * sketch.u) : sketch.at.meters(sketch.u);
}

class CouplingDrawer {
 public:
  CouplingDrawer(const PosedScene& pose, const SceneCoupling& coupling, const CouplingLook& look, Sketch& sketch)
      : pose_(pose),
        coupling_(coupling),
        look_(look),
        sketch_(sketch),
        u_(sketch.u),
        a_(pose.scene().joints[static_cast<std::size_t>(coupling.a)]),
        b_(pose.scene().joints[static_cast<std::size_t>(coupling.b)]) {}

  void draw() {
    if (coupling_.kind == "gear") add_wheel(a_, coupling_.radius_a), add_wheel(b_, coupling_.radius_b);
    if (coupling_.kind == "belt") add_belt();
    if (coupling_.kind == "rack") add_wheel(a_, coupling_.radius_a), add_rack();
    if (coupling_.kind == "screw") add_screw();
    if (coupling_.kind == "worm") add_wheel(b_, coupling_.radius_b), add_worm();
    if (coupling_.kind == "shaft" || coupling_.kind == "clutch") add_shaft();
    if (coupling_.kind == "clutch") add_plates();
  }

 private:
  double depth(const Vector3d& at, double lift = 0) const {
    return look_.flat ? 0 : sketch_.at.projection.depth(at) + sketch_.at.meters(lift * u_);
  }
  Sketch::Layer layer() const { return look_.flat ? Sketch::elements : Sketch::machine; }

  void add_line(const std::string& kind, const std::vector<Vector3d>& line, const LineStyle& style) {
    if (!look_.flat) return draw_space_line(sketch_, kind, line, style);
    std::vector<Point> seen;
    for (const Vector3d& point : line) seen.push_back(sketch_.at(point));
    sketch_.line(Sketch::elements, kind, seen, style.color, style.width);
  }

  Point on_circle(const Vector3d& middle, const Vector3d& axis, double radius, double angle) const {
    const Vector3d first = axis.unitOrthogonal(), second = axis.cross(first);
    return sketch_.at(middle + radius * (std::cos(angle) * first + std::sin(angle) * second));
  }

  // A pitch circle, dash-dotted; a wheel without a shape is filled besides.
  void add_wheel(const SceneJoint& joint, double radius) {
    const Vector3d middle = pose_.place(joint.a), axis = pose_.axis(joint);
    std::vector<Point> ring;
    for (int k = 0; k <= 72; ++k) ring.push_back(on_circle(middle, axis, std::abs(radius), 2 * pi * k / 72));
    const int body = joint.b.body;
    const bool filled = body >= 0 && pose_.scene().bodies[static_cast<std::size_t>(body)].shapes.empty() &&
                        coupling_.radius_a < 3 * coupling_.radius_b;
    if (filled)
      sketch_.area(look_.flat ? Sketch::behind : Sketch::machine, "wheel", ring,
                   mixed(look_.colors.fill(body), paper_color, 0.6), "", depth(middle));
    sketch_.line(layer(), "gear", ring, pitch_color, 0.3 * u_, depth(middle, 4),
                 {3.2 * u_, 0.9 * u_, 0.6 * u_, 0.9 * u_});
  }

  // The strands touch both wheels; phi is the angle from the line between the axes to where they do.
  void add_belt() {
    const Vector3d A = pose_.place(a_.a), B = pose_.place(b_.a), axis = pose_.axis(a_);
    const Vector3d gap = B - A, flat_gap = gap - axis * axis.dot(gap);
    const double ra = std::abs(coupling_.radius_a), rb = std::abs(coupling_.radius_b), distance = flat_gap.norm();
    const bool crossed = coupling_.radius_a * coupling_.radius_b < 0;
    const double cosine = (crossed ? ra + rb : ra - rb) / distance;
    if (!(std::abs(cosine) < 1)) return;
    const double phi = std::acos(cosine);
    const Vector3d first = flat_gap / distance, second = axis.cross(first);
    std::vector<Vector3d> belt;
    const auto add_arc = [&](const Vector3d& middle, double radius, double from, double to) {
      for (int k = 0; k <= 36; ++k) {
        const double angle = from + (to - from) * k / 36;
        belt.emplace_back(middle + radius * (std::cos(angle) * first + std::sin(angle) * second));
      }
    };
    add_arc(A, ra, phi, 2 * pi - phi);
    crossed ? add_arc(B, rb, pi - phi, phi - pi) : add_arc(B, rb, -phi, phi);
    belt.push_back(belt.front());
    add_line("belt", belt, {ink_color, 0.55 * u_});
  }

  // Teeth along a line that moves with the slider and touches the pinion, on the side of the slider.
  void add_rack() {
    const Vector3d C = pose_.place(a_.a), n = pose_.axis(a_), e = pose_.axis(b_), gap = pose_.place(b_.b) - C;
    Vector3d out = n.cross(e);
    if (out.dot(gap) < 0) out = -out;
    const Vector3d touch = C + coupling_.radius_a * out;
    const double m = sketch_.at.meters(u_), slide = pose_.slide(b_);
    double from = slide - look_.travel[1] - 4 * m, to = slide - look_.travel[0] + 4 * m;
    if (b_.b.body >= 0)
      for (const SceneShape& shape : pose_.scene().bodies[static_cast<std::size_t>(b_.b.body)].shapes)
        for (const Vector3d& point : points_around(shape)) {
          const double along = e.dot(pose_.on_body(b_.b.body, {point.x(), point.y(), point.z()}) - touch);
          from = std::min(from, along + m), to = std::max(to, along - m);
        }
    const int teeth = std::clamp(static_cast<int>((to - from) / (1.3 * m)), 4, 120);
    std::vector<Point> line;
    for (int k = 0; k <= 2 * teeth; ++k)
      line.push_back(sketch_.at(touch + (from + (to - from) * k / (2 * teeth)) * e + (k % 2 ? 0.45 : -0.45) * m * out));
    sketch_.line(layer(), "rack", line, ink_color, 0.26 * u_, depth(touch, 4));
    sketch_.line(layer(), "rack", {sketch_.at(touch + from * e), sketch_.at(touch + to * e)}, pitch_color, 0.2 * u_,
                 depth(touch, 4), {3.2 * u_, 0.9 * u_, 0.6 * u_, 0.9 * u_});
  }

  void add_screw() {
    const double m = sketch_.at.meters(u_);
    const Vector3d axis = pose_.axis(a_), from = pose_.place(b_.a);
    const Vector3d way = axis * (look_.travel[1] - look_.travel[0] + 8 * m);
    draw_helix(pose_, a_,
               helix(from + axis * (look_.travel[0] - 4 * m), way, thread_radius(pose_, a_, sketch_), sketch_),
               sketch_);
  }

  void add_worm() {
    const Vector3d along = 0.8 * coupling_.radius_b * pose_.axis(a_);
    draw_helix(pose_, a_, helix(pose_.place(a_.a) - 0.5 * along, along, coupling_.radius_a, sketch_, 8), sketch_);
  }

  // Two plates across the shaft, face to face; over all bodies, since a disc in front would hide them. Dashes show the shaft there.
  void add_plates() {
    const auto [a, b] = shaft_ends();
    const Point middle = sketch_.at(0.5 * (a + b)), along = unit_of(sketch_.at(b) - sketch_.at(a)),
                side = 2.2 * u_ * across(along);
    if (!look_.flat)
      sketch_.line(Sketch::elements, "shaft", {sketch_.at(a), sketch_.at(b)}, pitch_color, 0.25 * u_, 0,
                   {1.2 * u_, 0.8 * u_});
    for (const double way : {-0.45, 0.45}) {
      const Point at = middle + way * u_ * along;
      sketch_.line(Sketch::elements, "clutch", {at - side, at + side}, ink_color, 0.5 * u_);
    }
  }

  void add_shaft() {
    const auto [a, b] = shaft_ends();
    add_line("shaft", {a, b}, {pitch_color, 0.7 * u_});
  }

  // Where it comes out of the shapes on either joint.
  std::array<Vector3d, 2> shaft_ends() const {
    const Vector3d from = pose_.place(a_.b), to = pose_.place(b_.b), along = (to - from).normalized();
    const auto reach = [&](const SceneJoint& joint, const Vector3d& out) {
      const double facing = pose_.axis(joint).dot(out);
      return std::abs(facing) > 0.999 && !look_.flat ? joint.shaft[facing > 0 ? 1 : 0] : 0;
    };
    const Vector3d a = from + reach(a_, along) * along, b = to - reach(b_, -along) * along;
    return (b - a).dot(along) > 0 ? std::array{a, b} : std::array{from, to};
  }

  const PosedScene& pose_;
  const SceneCoupling& coupling_;
  const CouplingLook& look_;
  Sketch& sketch_;
  const double u_;
  const SceneJoint &a_, &b_;
};

}  // namespace

void draw_coupling(const PosedScene& pose, const SceneCoupling& coupling, const CouplingLook& look, Sketch& sketch) {
  CouplingDrawer(pose, coupling, look, sketch).draw();
}

void draw_thread(const PosedScene& pose, std::size_t joint, const std::array<double, 2>& travel, Sketch& sketch) {
  const SceneJoint& screw = pose.scene().joints[joint];
  const double m = sketch.at.meters(sketch.u);
  const Vector3d axis = pose.axis(screw);
  const Vector3d way = axis * (travel[1] - travel[0] + 6 * m);
  draw_helix(pose, screw,
             helix(pose.place(screw.a) + axis * (travel[0] - 3 * m), way, thread_radius(pose, screw, sketch), sketch),
             sketch);
}

std::vector<Vector3d> extent_of_coupling(const PosedScene& pose, const SceneCoupling& coupling) {
  std::vector<Vector3d> points;
  for (const auto& [joint, radius] :
       {std::pair{coupling.a, coupling.radius_a}, std::pair{coupling.b, coupling.radius_b}}) {
    const SceneJoint& of = pose.scene().joints[static_cast<std::size_t>(joint)];
    if (coupling.kind == "screw" || coupling.kind == "shaft" || (coupling.kind == "worm" && joint == coupling.a) ||
        !(std::abs(radius) > 0))
      continue;
    const Vector3d middle = pose.place(of.a), axis = pose.axis(of), first = axis.unitOrthogonal(),
                   second = axis.cross(first);
    for (int k = 0; k < 24; ++k)
      points.emplace_back(middle + std::abs(radius) * (std::cos(pi * k / 12) * first + std::sin(pi * k / 12) * second));
  }
  return points;
}

}  // namespace armature::internal::plot
