#include "report/machine_drawing.hpp"

#include "report/load_colors.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "report/coupling_drawing.hpp"
#include "report/machine_colors.hpp"
#include "report/solids.hpp"
#include "report/symbols.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

constexpr double far_away = std::numeric_limits<double>::infinity();

bool is_slider(const SceneJoint& joint) { return joint.glyph == "slider"; }

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
  return std::ranges::all_of(places, [&](const Vector3d& a) { return std::abs(normal.dot(a - places[0])) < 1e-3 * size; });
}

// Of a wheel carrier or a crank disc: the place of a joint well inside of the outline. It is drawn as arms from there.
std::optional<Point> hub_of(const std::vector<Point>& hull, const std::vector<Point>& joints, double inside) {
  for (const Point& joint : joints) {
    double nearest = far_away;
    for (std::size_t k = 0; hull.size() > 2 && k < hull.size(); ++k) {
      const Point side = unit_of(hull[(k + 1) % hull.size()] - hull[k]), out = joint - hull[k];
      nearest = std::min(nearest, std::abs(side.x * out.y - side.y * out.x));
    }
    if (hull.size() > 2 && nearest > inside) return joint;
  }
  return std::nullopt;
}

class MachineDrawer {
 public:
  MachineDrawer(const PosedScene& pose, const MachineLook& look, Sketch& sketch)
      : pose_(pose), scene_(pose.scene()), look_(look), sketch_(sketch), at_(sketch.at), u_(sketch.u), flat_(seen_flat()) {
    down_ = scene_.gravity ? unit_of(at_.along(to_vector(*scene_.gravity))) : Point{};
    if (length_of(down_) < 0.5 || !flat_) down_ = {0, 1};
  }

  void draw() {
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) add_body(static_cast<int>(k));
    for (const SceneProfile& profile : scene_.profiles) add_profile(profile);
    for (const SceneDrawing& drawing : scene_.drawings) add_drawing(drawing);
    if (flat_ && look_.ground) add_planes();
    for (const SceneCoupling& coupling : scene_.couplings)
      draw_coupling(pose_, coupling, {look_.colors, look_.travel[static_cast<std::size_t>(coupling.b)], flat_}, sketch_);
    for (std::size_t k = 0; k < scene_.links.size(); ++k) add_link(k);
    for (std::size_t k = 0; k < scene_.joints.size(); ++k) add_joint(k);
    for (const SceneLoad& load : scene_.loads) add_load(load);
  }

 private:
  bool seen_flat() const {
    return !scene_.plane.empty() && std::abs(normal().dot(at_.projection.towards)) > 0.999;
  }
  Vector3d normal() const {
    return scene_.plane == "xy" ? Vector3d::UnitZ() : scene_.plane == "xz" ? Vector3d::UnitY() : Vector3d::UnitX();
  }

  // In a planar picture layers decide what is above, in space the depth does.
  SymbolPlace over(Sketch::Layer layer, const Vector3d& at, double lift = 0) const {
    if (flat_) return {layer, 0};
    return {layer == Sketch::marks ? layer : Sketch::machine, at_.projection.depth(at) + lift * at_.meters(u_)};
  }
  bool is_shaped(int body) const { return body >= 0 && !scene_.bodies[static_cast<std::size_t>(body)].shapes.empty(); }

  // --- bodies

  void add_body(int k) {
    const SceneBody& body = scene_.bodies[static_cast<std::size_t>(k)];
    if (body.beam) return add_beam(k);
    if (body.shapes.empty() && !has_profile(k)) return add_link_body(k);
    for (const SceneShape& shape : body.shapes)
      draw_solid(pose_, k, shape, look_.colors.fill(k), look_.colors.edge(k), flat_ ? Sketch::behind : Sketch::machine, sketch_);
    add_spokes(k);
  }

  bool has_profile(int k) const { return std::ranges::count(scene_.profiles, k, &SceneProfile::body) > 0; }
  // A cam or a part of a Geneva drive; over a given shape it is paler.
  void add_profile(const SceneProfile& profile) {
    std::vector<Point> outline;
    Vector3d middle = Vector3d::Zero();
    for (const Triple& place : profile.outline) {
      const Vector3d at = pose_.on_body(profile.body, place);
      outline.push_back(at_(at)), middle += at / static_cast<double>(profile.outline.size());
    }
    const std::string fill = look_.colors.fill(profile.body);
    const bool pale = profile.kind != "pin" && is_shaped(profile.body);
    sketch_.area(flat_ && profile.kind != "pin" ? Sketch::behind : Sketch::machine, profile.kind, outline, pale ? mixed(fill, paper_color, 0.6) : fill,
                 look_.colors.edge(profile.body), profile.kind == "pin" ? body_depth(profile.body, middle) + 50 : body_depth(profile.body, middle));
  }

  // Whether a wheel turns shows by the lines from its axis to its points.
  void add_spokes(int k) {
    const SceneBody& body = scene_.bodies[static_cast<std::size_t>(k)];
    const auto wheel = std::ranges::find(body.shapes, "cylinder", &SceneShape::kind);
    if (wheel == body.shapes.end()) return;
    const Vector3d from = to_vector(wheel->from), axis = (to_vector(wheel->to) - from).normalized();
    const double half = 0.5 * (to_vector(wheel->to) - from).norm();
    const double towards = pose_.direction(k, {axis.x(), axis.y(), axis.z()}).dot(at_.projection.towards) < 0 ? -1 : 1;
    for (const auto& [name, point] : body.points) {
      const Vector3d out = to_vector(point) - from, radial = out - axis * axis.dot(out);
      if (radial.norm() < 0.5 * wheel->radius) continue;
      const Vector3d middle = from + axis * half * (1 + towards);
      const auto placed = [&](const Vector3d& at) { return pose_.on_body(k, {at.x(), at.y(), at.z()}); };
      sketch_.line(flat_ ? Sketch::behind : Sketch::machine, "spoke", {at_(placed(middle)), at_(placed(middle + radial))},
                   look_.colors.edge(k), sketch_.edge_width(), over(Sketch::behind, placed(middle), 3).depth);
    }
  }

  void add_beam(int k) {
    std::vector<Point> line;
    const std::vector<Vector3d> points = pose_.beam_points(k);
    for (const Vector3d& point : points) line.push_back(at_(point));
    sketch_.area(Sketch::machine, "beam", ribbon(line, 0.6 * u_), look_.colors.fill(k), look_.colors.edge(k),
                 body_depth(k, points[points.size() / 2]));
    if (look_.largest_load) add_beam_loads(k, points[points.size() / 2], line);
  }

  // Pieces over the strip, each in the color of its mean load.
  void add_beam_loads(int k, const Vector3d& middle, const std::vector<Point>& line) {
    const std::vector<double> loads = pose_.beam_loads(k);
    const double largest = (*look_.largest_load)[scene_.bodies[static_cast<std::size_t>(k)].beam->is_stress ? 0 : 1];
    const double depth = flat_ ? k + 0.1 : over(Sketch::machine, middle, 0.1).depth;
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      sketch_.area(Sketch::machine, "beam load", ribbon({line[i], line[i + 1]}, 0.5 * u_),
                   load_color(largest > 0 ? 0.5 * (loads[i] + loads[i + 1]) / largest : 0), "", depth);
  }

  double body_depth(int k, const Vector3d& middle) const {
    return flat_ ? static_cast<double>(k) : over(Sketch::machine, middle).depth;
  }

  void add_link_body(int k) {
    const std::vector<Vector3d> places = pose_.reached(k);
    if (is_part_of_tube(k, places)) return;
    if (places.size() > 2 && !flat_ && !are_coplanar(places)) {
      add_star(k, places);
    } else if (places.size() > 1 || (flat_ && !slides(k))) {
      std::vector<Point> seen;
      Vector3d middle = Vector3d::Zero();
      for (const Vector3d& place : places) seen.push_back(at_(place)), middle += place / static_cast<double>(places.size());
      const double radius = places.size() == 1 ? 1.1 * u_ : flat_ ? layered(k) * u_ : 0.8 * u_;
      const std::vector<Point> hull = convex_outline(std::move(seen));
      if (const auto hub = flat_ ? hub_of(hull, pins_of(k), 2 * u_) : std::nullopt)
        add_arms(k, *hub, hull, radius);
      else
        sketch_.area(Sketch::machine, "link", rounded(hull, radius), look_.colors.fill(k), look_.colors.edge(k), body_depth(k, middle));
    }
    if (is_bob(k)) {
      const Vector3d center = pose_.on_body(k, scene_.bodies[static_cast<std::size_t>(k)].center);
      sketch_.area(Sketch::machine, "link", circle(at_(center), 2.1 * u_), look_.colors.fill(k), look_.colors.edge(k),
                   body_depth(k, center) + 0.5);
    }
  }

  std::vector<Point> pins_of(int k) const {
    std::vector<Point> places;
    for (const SceneJoint& joint : scene_.joints)
      for (const ScenePlace* place : {&joint.a, &joint.b})
        if (place->body == k && joint.glyph == "pin") places.push_back(at_(pose_.place(*place)));
    return places;
  }

  // Edges first, so that the arms are one piece.
  void add_arms(int k, const Point& hub, const std::vector<Point>& ends, double radius) {
    for (const Point& end : ends)
      sketch_.area(Sketch::machine, "link", capsule(hub, end, radius), look_.colors.fill(k), look_.colors.edge(k), k);
    for (const Point& end : ends)
      sketch_.area(Sketch::machine, "link", capsule(hub, end, radius - 0.5 * sketch_.edge_width()), look_.colors.fill(k), "", k + 0.1);
  }

  // Bars of three widths: where they lie over each other, at a dead center, the edges of those below are seen.
  static double layered(int k) { return 1 - 0.16 * (k % 3); }

  void add_star(int k, const std::vector<Vector3d>& places) {
    Vector3d middle = Vector3d::Zero();
    for (const Vector3d& place : places) middle += place / static_cast<double>(places.size());
    for (const Vector3d& place : places)
      sketch_.area(Sketch::machine, "link", capsule(at_(middle), at_(place), 0.8 * u_), look_.colors.fill(k), look_.colors.edge(k),
                   body_depth(k, 0.5 * (middle + place)));
  }

  bool slides(int body) const {
    return std::ranges::any_of(scene_.joints, [&](const SceneJoint& joint) {
      return is_slider(joint) && (joint.a.body == body || joint.b.body == body);
    });
  }

  // In space, the half of a tube that pulls out: all of its places lie on the axis of the tube.
  bool is_part_of_tube(int k, const std::vector<Vector3d>& places) const {
    return !flat_ && std::ranges::any_of(scene_.joints, [&](const SceneJoint& joint) {
      if (!is_slider(joint) || (joint.a.body != k && joint.b.body != k) || !pulls_out(joint)) return false;
      const Vector3d from = pose_.place(joint.a), axis = pose_.axis(joint);
      return std::ranges::all_of(places, [&](const Vector3d& place) { return (place - from).cross(axis).norm() < at_.meters(0.1 * u_); });
    });
  }
  // Else it is a line along which a block moves.
  bool pulls_out(const SceneJoint& joint) const {
    const auto& [low, high] = look_.travel[static_cast<std::size_t>(&joint - scene_.joints.data())];
    const double nearest = low * high > 0 ? std::min(std::abs(low), std::abs(high)) : 0;
    return nearest * at_.scale >= 4 * u_ && !(joint.a.body < 0 && is_shaped(joint.b.body));
  }

  // The mass at the far end of a body that hangs on one joint is shown.
  bool is_bob(int k) const {
    const SceneBody& body = scene_.bodies[static_cast<std::size_t>(k)];
    const ScenePlace* hung = nullptr;
    int joints = 0;
    for (const SceneJoint& joint : scene_.joints)
      for (const ScenePlace* place : {&joint.a, &joint.b})
        if (place->body == k) hung = place, ++joints;
    if (joints != 1 || !(body.mass > 0)) return false;
    const Vector3d from = pose_.place(*hung);
    double reach = 0;
    for (const Vector3d& place : pose_.reached(k)) reach = std::max(reach, (place - from).norm());
    return reach > 1e-9 && (pose_.on_body(k, body.center) - from).norm() > 0.9 * reach;
  }

  void add_outline(const SceneDrawing& drawing) {
    if (drawing.fixed && flat_) return;  // add_planes
    std::vector<Point> line;
    Vector3d middle = Vector3d::Zero();
    for (int k = 0; k < drawing.points; ++k) {
      const Vector3d point = pose_.point(drawing.offset + 3 * k);
      line.push_back(at_(point)), middle += point / drawing.points;
    }
    const SymbolPlace place = over(Sketch::elements, middle, 1);
    sketch_.line(place.layer, "surface", line, ink_color, 0.3 * u_, place.depth);
  }

  // Planes on the ground; two that overlap are one.
  void add_planes() {
    std::vector<std::array<Vector3d, 2>> planes;
    for (const auto& plane : look_.planes) {
      if (!plane) continue;
      const auto joins = [&](const std::array<Vector3d, 2>& other) {
        const Vector3d along = (other[1] - other[0]).normalized(), from = (*plane)[0] - other[0], to = (*plane)[1] - other[0];
        const double near = at_.meters(0.5 * u_);
        return from.cross(along).norm() < near && to.cross(along).norm() < near && along.dot(to - from) > 0 &&
               along.dot(to) >= 0 && along.dot(from) <= (other[1] - other[0]).norm();
      };
      const auto known = std::ranges::find_if(planes, joins);
      if (known == planes.end()) {
        planes.push_back(*plane);
        continue;
      }
      const Vector3d along = (*known)[1] - (*known)[0];
      if (along.dot((*plane)[0] - (*known)[0]) < 0) (*known)[0] = (*plane)[0];
      if (along.dot((*plane)[1] - (*known)[1]) > 0) (*known)[1] = (*plane)[1];
    }
    for (const auto& [a, b] : planes) draw_hatch(sketch_, at_(a), at_(b), unit_of(at_.along(normal().cross(b - a))), {Sketch::ground, 0});
  }

  // A line through points of a Lagrangian; one point is a dot.
  void add_drawing(const SceneDrawing& drawing) {
    if (drawing.outline) return add_outline(drawing);
    const int index = static_cast<int>(&drawing - scene_.drawings.data());
    std::vector<Vector3d> points;
    for (int k = 0; k < drawing.points; ++k) points.push_back(pose_.point(drawing.offset + 3 * k));
    for (std::size_t k = 0; k + 1 < points.size(); ++k)
      sketch_.area(Sketch::machine, "link", capsule(at_(points[k]), at_(points[k + 1]), 0.75 * u_), look_.colors.fill(index),
                   look_.colors.edge(index), body_depth(index, 0.5 * (points[k] + points[k + 1])));
    for (const Vector3d& point : points)
      draw_pin(sketch_, at_(point), points.size() < 2 ? 1.2 * u_ : 0.55 * u_, points.size() < 2 ? look_.colors.fill(index) : paper_color,
               over(Sketch::joints, point, 2));
  }

  // --- links of forces and distances

  void add_link(std::size_t k) {
    const SceneLink& link = scene_.links[k];
    const Vector3d a = pose_.place(link.a), b = pose_.place(link.b);
    const Point from = at_(a), to = at_(b), side = 1.5 * u_ * across(unit_of(to - from));
    const SymbolPlace place = over(Sketch::elements, 0.5 * (a + b), 1);
    for (const ScenePlace* end : {&link.a, &link.b})
      if (end->body < 0 && link.kind != "bushing") add_ground(to_vector(end->at));
    if (link.kind == "spring") draw_coil(sketch_, from, to, place);
    if (link.kind == "damper") draw_dashpot(sketch_, from, to, place);
    if (link.kind == "spring_damper") {
      draw_coil(sketch_, from + side, to + side, place), draw_dashpot(sketch_, from - side, to - side, place);
      for (const Point& end : {from, to}) sketch_.line(place.layer, "spring", {end + side, end - side}, ink_color, 0.26 * u_, place.depth);
    }
    if (link.kind == "gas_spring") draw_gas_spring(sketch_, from, to, place);
    if (link.kind == "bushing") return draw_bushing(sketch_, to, {Sketch::joints, 0});
    if (link.kind == "rope") add_rope(k, from, to, place);
    if (link.kind == "distance") sketch_.area(Sketch::machine, "rod", capsule(from, to, 0.45 * u_), "#c9d0d6", ink_color, place.depth);
    if (link.kind == "rope") return;
    for (const Vector3d& end : {a, b}) draw_pin(sketch_, at_(end), 0.45 * u_, paper_color, over(Sketch::joints, end, 2));
  }

  // A strand; where the rope goes on there is a pulley.
  void add_rope(std::size_t k, const Point& from, const Point& to, SymbolPlace place) {
    sketch_.line(place.layer, "rope", {from, to}, ink_color, 0.35 * u_, place.depth);
    const bool goes_on = k + 1 < scene_.links.size() && scene_.links[k + 1].name == scene_.links[k].name;
    if (goes_on) sketch_.area(Sketch::joints, "pulley", circle(to, 1.5 * u_), "#dfe4e8", ink_color, place.depth);
    draw_pin(sketch_, to, 0.45 * u_, paper_color, {Sketch::joints, place.depth});
  }

  // --- joints

  void add_joint(std::size_t k) {
    const SceneJoint& joint = scene_.joints[k];
    if (joint.glyph.empty()) return;
    if (is_slider(joint)) {
      flat_ ? add_slider(k) : add_tube(k);
      return;
    }
    const Vector3d at = pose_.place(joint.b), stub = stub_of(joint);
    if (joint.a.body < 0 || joint.b.body < 0) add_ground(to_vector(joint.a.body < 0 ? joint.a.at : joint.b.at) + stub);
    if (joint.glyph == "weld") return add_weld(at);
    if (joint.glyph == "pin") add_turning_elements(joint, at + stub);
    if (joint.brake) add_brake(joint, at + stub);
    if (joint.stop_arm) add_turning_stops(joint, at);
    if (joint.driven) add_drive(joint, at + stub);
    const std::string fill = joint.driven ? mark_color : flat_ ? paper_color : "#b9c1c9";
    if (stub.norm() > 0) {
      add_stubs(joint, at, fill);
    } else if (!flat_ && (joint.glyph == "pin" || joint.glyph == "screw")) {
      const Vector3d half = at_.meters(1.25 * u_) * pose_.axis(joint);
      if (joint.glyph == "screw") draw_thread(pose_, k, look_.travel[k], sketch_);
      draw_cylinder(at - half, at + half, at_.meters(0.95 * u_), "pin", fill, ink_color, Sketch::machine, sketch_,
                    at_.meters(2 * u_));
    } else {
      draw_pin(sketch_, at_(at), (flat_ ? 0.66 : 0.95) * u_, fill, over(Sketch::joints, at, 2));
    }
  }

  // In space the shapes of the bodies hide a pin: from its place to where its shaft comes out of them, towards the reader. Else zero.
  Vector3d stub_of(const SceneJoint& joint) const {
    if (flat_ || !(joint.shaft[0] + joint.shaft[1] > 0)) return Vector3d::Zero();
    const Vector3d axis = pose_.axis(joint);
    const std::size_t end = axis.dot(at_.projection.towards) < 0 ? 0 : 1;
    return (end == 0 ? -1 : 1) * (joint.shaft[end] + at_.meters(0.8 * u_)) * axis;
  }

  // Both ends of a shaft, each outside of the shapes.
  void add_stubs(const SceneJoint& joint, const Vector3d& at, const std::string& fill) {
    for (const std::size_t end : {0, 1}) {
      const Vector3d out = (end == 0 ? -1 : 1) * pose_.axis(joint), begin = at + joint.shaft[end] * out;
      const bool near = out.dot(at_.projection.towards) > 0;
      draw_cylinder(begin, begin + at_.meters(1.6 * u_) * out, at_.meters(0.95 * u_), "pin", fill, ink_color, Sketch::machine, sketch_,
                    near ? at_.meters(2 * u_) : 0);
    }
  }

  void add_weld(const Vector3d& at) { draw_pin(sketch_, at_(at), 0.35 * u_, metal_color, over(Sketch::joints, at, 1)); }

  // Of eight directions the one that is farthest from the bodies that meet at a joint, from its support and from what else is drawn there.
  Point free_side(const SceneJoint& joint, const Vector3d& at, std::vector<Point> taken = {}) const {
    if (look_.steady) return taken.empty() ? unit_of(0.4 * down_ + across(down_)) : across(taken[0]);
    for (const int body : {joint.a.body, joint.b.body}) {
      if (body < 0) continue;
      for (const Vector3d& place : pose_.reached(body))
        if (const Point out = at_(place) - at_(at); length_of(out) > u_) taken.push_back(unit_of(out));
    }
    if (joint.a.body < 0 || joint.b.body < 0) taken.push_back(down_);
    Point best = -1.0 * down_;
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

  // Spring and damper about a joint: smaller where another joint is near, and one at each place, since joints of a hip share theirs.
  void add_turning_elements(const SceneJoint& joint, const Vector3d& at) {
    const SymbolPlace place = over(Sketch::elements, at, 3);
    const double size = symbol_size(at);
    const auto is_new = [&](std::vector<Vector3d>& known) {
      if (std::ranges::any_of(known, [&](const Vector3d& other) { return (other - at).norm() * at_.scale < 0.1; })) return false;
      known.push_back(at);
      return true;
    };
    if (joint.spring && is_new(springs_)) draw_torsion_spring(sketch_, at_(at), place, size);
    if (!joint.damper || (joint.a.body < 0 && !look_.ground) || !is_new(dampers_)) return;
    const bool lettered = joint.drive == "motor", beside = joint.spring || joint.driven;
    const Point side = lettered ? free_side(joint, at, {free_side(joint, at)}) : free_side(joint, at);
    draw_torsion_damper(sketch_, at_(at), side, (beside ? 3.6 : 1.7) * u_, place, size);
  }
  double symbol_size(const Vector3d& at) const {
    double nearest = far_away;
    for (const SceneJoint& other : scene_.joints)
      if (const double way = (pose_.place(other.b) - at).norm(); way * at_.scale > 0.5 * u_) nearest = std::min(nearest, way);
    return std::clamp(nearest * at_.scale / (9 * u_), 0.5, 1.0);
  }

  // A shoe on the rim of the wheel, hatched where the ground holds it.
  void add_brake(const SceneJoint& joint, const Vector3d& at) {
    const double u = at_.meters(u_), inner = std::max(*joint.brake, 2.6 * u);
    const Vector3d axis = pose_.axis(joint);
    Vector3d up = at_.projection.up - axis * axis.dot(at_.projection.up);
    if (up.norm() < 0.1) up = axis.unitOrthogonal();
    up.normalize();
    const Vector3d side = axis.cross(up);
    const double half = std::min(0.6, 4 * u / inner);
    const auto rim = [&](double radius, double angle) { return at_(at + radius * (std::cos(angle) * up + std::sin(angle) * side)); };
    std::vector<Point> shoe;
    for (int k = 0; k <= 12; ++k) shoe.push_back(rim(inner + 0.2 * u, half * (k / 6.0 - 1)));
    for (int k = 12; k >= 0; --k) shoe.push_back(rim(inner + 1.4 * u, half * (k / 6.0 - 1)));
    const SymbolPlace place = over(Sketch::elements, at, 3);
    sketch_.area(place.layer, "brake", shoe, metal_color, ink_color, place.depth);
    for (int k = 0; joint.a.body < 0 && k <= 6; ++k)
      sketch_.line(place.layer, "brake", {rim(inner + 1.4 * u, half * (k / 3.0 - 1)), rim(inner + 2.3 * u, half * (k / 3.0 - 0.85))}, metal_color,
                   0.18 * u_, place.depth);
  }

  // Hatched bars beside the arm where it meets its end stops.
  void add_turning_stops(const SceneJoint& joint, const Vector3d& at) {
    const SceneJoint::StopArm& on = *joint.stop_arm;
    if (on.body < 0 && !look_.ground) return;
    const Vector3d axis = pose_.direction(on.body, on.axis), arm = pose_.direction(on.body, on.arm), across = axis.cross(arm);
    const double u = at_.meters(u_);
    for (int end = 0; end < 2; ++end) {
      const auto& stop = joint.stops[static_cast<std::size_t>(end)];
      if (!stop) continue;
      const double sign = end == 0 ? -1 : 1;
      const Vector3d along = std::cos(*stop) * arm + std::sin(*stop) * across, away = sign * axis.cross(along);
      const Vector3d foot = at + 1.05 * u * away;
      const Point from = at_(foot + 3.2 * u * along), to = at_(foot + 6.2 * u * along);
      if (length_of(to - from) < u_) continue;  // seen from its end
      const Point side = plot::across(unit_of(to - from)), out = at_.along(away);
      draw_hatch(sketch_, from, to, (side.x * out.x + side.y * out.y < 0 ? -1.0 : 1.0) * side, over(Sketch::elements, foot + 4.7 * u * along, 1), "stop");
    }
  }

  void add_drive(const SceneJoint& joint, const Vector3d& at) {
    if (joint.drive == "motor" && (joint.a.body >= 0 || look_.ground))
      draw_motor(sketch_, at_(at), free_side(joint, at), flat_ ? SymbolPlace{Sketch::behind, 1} : over(Sketch::machine, at, -1));
    else if (joint.drive != "motor" && look_.ground)
      draw_turning_arrow(sketch_, at_(at), 3.3 * u_, pose_.axis(joint).dot(at_.projection.towards) >= 0, joint.drive, mark_color,
                         over(Sketch::marks, at));
  }

  // A block that slides, and its guide over the way that it takes.
  void add_slider(std::size_t k) {
    const SceneJoint& joint = scene_.joints[k];
    const Vector3d at = pose_.place(joint.b);
    const Point along = unit_of(at_.along(pose_.axis(joint))), middle = at_(at);
    const double half_length = 2.6 * u_, half_width = 1.6 * u_;
    const bool shaped = is_shaped(joint.b.body);
    if (!shaped)
      sketch_.area(Sketch::machine, "slider", rectangle(middle, along, half_length, half_width),
                   joint.driven ? mark_color : joint.b.body < 0 ? metal_color : look_.colors.fill(joint.b.body),
                   joint.driven ? ink_color : look_.colors.edge(joint.b.body), -1);
    if (joint.driven) {
      if (shaped) sketch_.area(Sketch::joints, "slider", rectangle(middle, along, u_, 0.5 * u_), mark_color, ink_color);
      const double reach = (shaped ? extent_along(joint.b.body, middle, along) : half_length) + 0.6 * u_;
      const Point from = middle + reach * along;
      if (joint.drive != "cylinder") sketch_.arrow(Sketch::marks, joint.drive, from, from + 5.5 * u_ * along, mark_color, 0.36 * u_);
      if (joint.drive == "motor") {
        const Point letter = from + 2.5 * u_ * along + 2.2 * u_ * guide_side(joint, along, -1);
        sketch_.text({letter.x, letter.y + 0.8 * u_}, "M", std::max(2.1 * u_, 6.0), mark_color);
      }
    }
    if (shaped)
      add_guide(k, along, std::max(half_width, extent_along(joint.b.body, middle, guide_side(joint, along, 1))),
                std::max(extent_along(joint.b.body, middle, along), extent_along(joint.b.body, middle, -1.0 * along)));
    else
      add_guide(k, along, half_width, half_length);
  }

  // How far the shapes of a body reach from a point.
  double extent_along(int body, const Point& from, const Point& along) const {
    double reach = 0;
    for (const SceneShape& shape : scene_.bodies[static_cast<std::size_t>(body)].shapes)
      for (const Vector3d& point : points_around(shape)) {
        const Point out = at_(pose_.on_body(body, {point.x(), point.y(), point.z()})) - from;
        reach = std::max(reach, out.x * along.x + out.y * along.y);
      }
    return reach;
  }

  // The guide on the ground lies below the block, unless something hangs there. which: 1 the side of the guide, -1 the other.
  Point guide_side(const SceneJoint& joint, const Point& along, double which) const {
    Point side = across(along);
    if (side.x * down_.x + side.y * down_.y < -1e-9) side = -1.0 * side;
    double hangs = 0;
    for (const SceneJoint& other : scene_.joints) {
      const bool first = other.a.body == joint.b.body, second = other.b.body == joint.b.body;
      const int partner = first ? other.b.body : second ? other.a.body : -1;
      if (&other == &joint || partner < 0 || partner == joint.a.body) continue;
      for (const Vector3d& place : pose_.reached(partner)) {
        const Point out = at_(place) - at_(pose_.place(joint.b));
        if (length_of(out) > u_) hangs += unit_of(out).x * side.x + unit_of(out).y * side.y;
      }
    }
    return (hangs > 0.9 ? -which : which) * side;
  }

  void add_guide(std::size_t k, const Point& along, double half_width, double half_length) {
    const SceneJoint& joint = scene_.joints[k];
    const bool grounded = joint.a.body < 0;
    if (grounded && !look_.ground) return add_sliding_elements(k, along, half_length);
    const auto& [low, high] = look_.travel[k];
    const Point zero = at_(pose_.place(joint.a)), side = guide_side(joint, along, 1);
    const double beyond = half_length + 2 * u_;
    const Point from = zero + (low * at_.scale - beyond) * along, to = zero + (high * at_.scale + beyond) * along;
    const double gap = half_width + 0.3 * u_;
    if (grounded) {
      draw_hatch(sketch_, from + gap * side, to + gap * side, side, {Sketch::ground, 0});
    } else {
      const std::string color = look_.colors.edge(joint.a.body);
      for (const double sign : {1.0, -1.0})
        sketch_.line(Sketch::behind, "guide", {from + sign * gap * side, to + sign * gap * side}, color, 0.36 * u_);
    }
    for (int end = 0; end < 2; ++end)
      if (joint.stops[static_cast<std::size_t>(end)]) {
        const double sign = end == 0 ? -1 : 1;
        const Point stop = zero + (*joint.stops[static_cast<std::size_t>(end)] * at_.scale + sign * (half_length + 0.1 * u_)) * along;
        draw_stop(sketch_, stop, sign * along, is_shaped(joint.b.body) ? half_width : 1.5 * u_, {Sketch::elements, 0});
      }
    add_sliding_elements(k, along, half_length);
  }

  // Spring and damper of a slider: between its places where they stay apart, else from a post behind the way that it takes.
  void add_sliding_elements(std::size_t k, const Point& along, double half_length) {
    const SceneJoint& joint = scene_.joints[k];
    const bool damper = joint.damper && (joint.spring || joint.a.body >= 0 || look_.ground);  // of several poses one on the ground will do
    const bool cylinder = joint.drive == "cylinder" && (joint.a.body >= 0 || look_.ground);
    if (!joint.spring && !damper && !cylinder) return;
    const auto& [low, high] = look_.travel[k];
    const bool apart = low * high > 0 && std::min(std::abs(low), std::abs(high)) * at_.scale > 8 * u_;
    const Point zero = at_(pose_.place(joint.a)), block = at_(pose_.place(joint.b));
    const bool in_front = apart ? low < 0 : look_.posts_in_front[k];
    const double sign = in_front ? -1 : 1;
    const double reach = is_shaped(joint.b.body) ? extent_along(joint.b.body, block, -sign * along) : half_length;
    const Point way_end = zero + ((in_front ? high : low) * at_.scale) * along;
    const Point post = apart ? zero : way_end - (sign * (reach + 9.4 * u_)) * along, end = block - reach * sign * along;
    const int count = joint.spring + damper + cylinder;  // side by side
    const Point step = 3 * u_ * across(along), first = 0.5 * (count - 1) * step;
    const SymbolPlace place{Sketch::elements, 0};
    Point side = first;
    if (joint.spring) draw_coil(sketch_, post + side, end + side, place), side = side - step;
    if (damper) draw_dashpot(sketch_, post + side, end + side, place), side = side - step;
    if (cylinder) draw_actuator(sketch_, post + side, end + side, place);
    if (count > 1) sketch_.line(place.layer, "spring", {end + first, end - first}, ink_color, 0.26 * u_);
    if (!apart && joint.a.body < 0) draw_hatch(sketch_, post - first - 2.2 * u_ * across(along), post + first + 2.2 * u_ * across(along), -sign * along, place);
    if (apart && joint.a.body < 0) add_ground(pose_.place(joint.a));
  }

  // In space a slider is a tube that pulls out; on the ground, where the body has a shape of its own, a line along which it moves.
  void add_tube(std::size_t k) {
    const SceneJoint& joint = scene_.joints[k];
    const auto& [low, high] = look_.travel[k];
    const Vector3d a = pose_.place(joint.a), b = pose_.place(joint.b), axis = pose_.axis(joint);
    const double length = (b - a).norm(), nearest = low * high > 0 ? std::min(std::abs(low), std::abs(high)) : 0;
    const std::string fill = joint.driven ? mark_color : joint.b.body < 0 ? metal_color : look_.colors.fill(joint.b.body);
    if (!pulls_out(joint)) return add_rail(k, fill);
    const double part = 0.62 * nearest / length, middle = over(Sketch::machine, 0.5 * (a + b)).depth;
    sketch_.area(Sketch::machine, "slider", capsule(at_(a + 0.5 * part * (b - a)), at_(b), 0.55 * u_), fill, ink_color, middle - at_.meters(0.5 * u_));
    sketch_.area(Sketch::machine, "slider", capsule(at_(a), at_(a + part * (b - a)), 1.05 * u_),
                 joint.a.body < 0 ? metal_color : look_.colors.fill(joint.a.body),
                 joint.a.body < 0 ? ink_color : look_.colors.edge(joint.a.body), middle);
    if (joint.a.body < 0) add_ground(a);
    const SymbolPlace beside = over(Sketch::elements, 0.5 * (a + b), 2);
    if (length * at_.scale > 6 * u_) {
      if (joint.spring) draw_coil(sketch_, at_(a), at_(b), beside, 1.9 * u_);
      if (joint.damper && !joint.spring) draw_dashpot(sketch_, at_(a), at_(b), beside);
    }
    add_push(joint, b, axis, 2 * u_);
  }

  void add_push(const SceneJoint& joint, const Vector3d& from, const Vector3d& axis, double gap) {
    const Point along = at_.along(axis);
    if (joint.driven && length_of(along) > 0.2)
      sketch_.arrow(Sketch::marks, joint.drive, at_(from) + gap * unit_of(along), at_(from) + (gap + 5 * u_) * unit_of(along), mark_color, 0.36 * u_);
  }

  // A line along which a block moves; of a body with a shape along its lower edge, out of it at both ends. A spring or damper begins at
  // its first end.
  void add_rail(std::size_t k, const std::string& fill) {
    const SceneJoint& joint = scene_.joints[k];
    const auto& [low, high] = look_.travel[k];
    const Vector3d a = pose_.place(joint.a), b = pose_.place(joint.b), axis = pose_.axis(joint);
    const bool shaped = is_shaped(joint.b.body), pushed = joint.drive == "cylinder", held = joint.spring || joint.damper || pushed;
    const double behind = reach(joint.b.body, b, -axis), before = reach(joint.b.body, b, axis), u = at_.meters(u_);
    const Vector3d edge = lower_edge(joint.b.body, b, axis);
    const Vector3d from = a + edge + axis * (low - behind - (held ? 9.4 : 3) * u), to = a + edge + axis * (high + before + 3 * u);
    const SymbolPlace beside = over(Sketch::elements, b + edge, shaped ? 2 : -2);
    sketch_.line(beside.layer, "guide", {at_(from), at_(to)}, pitch_color, 0.3 * u_, beside.depth, {3 * u_, 0.9 * u_, 0.6 * u_, 0.9 * u_});
    if (joint.a.body < 0) add_ground(from);
    const Vector3d half = 1.4 * u * axis;
    draw_cylinder(b + edge - half, b + edge + half, 1.2 * u, "slider", fill, ink_color, Sketch::machine, sketch_, at_.meters((shaped ? 3 : 1) * u_));
    const Point foot = at_(from), end = at_(b + edge - axis * behind), step{0, 3 * u_};  // one below the other
    Point side{};
    if (pushed) draw_actuator(sketch_, foot, end, beside), side = side + step;
    if (joint.spring) draw_coil(sketch_, foot + side, end + side, beside), side = side + step;
    if (joint.damper) draw_dashpot(sketch_, foot + side, end + side, beside);
    if (!pushed) add_push(joint, b + axis * before, axis, shaped ? u_ : 2 * u_);
  }

  // From a place of a body to the edge of its shapes that is below and in front, along an axis. Zero without shapes.
  Vector3d lower_edge(int body, const Vector3d& at, const Vector3d& axis) const {
    if (!is_shaped(body)) return Vector3d::Zero();
    const Vector3d down = scene_.gravity && to_vector(*scene_.gravity).norm() > 0 ? to_vector(*scene_.gravity).normalized() : -Vector3d::UnitZ();
    const auto to_reader = [&](const Vector3d& x) { return x.dot(at_.projection.towards) < 0 ? Vector3d(-x) : x; };
    Vector3d below = down - axis * axis.dot(down);
    if (below.norm() < 0.3) below = to_reader(std::abs(axis.x()) < 0.9 ? Vector3d::UnitX().cross(axis) : Vector3d::UnitY().cross(axis));
    below.normalize();
    const Vector3d in_front = to_reader(axis.cross(below));
    return reach(body, at, below) * below + reach(body, at, in_front) * in_front;
  }

  // How far the shapes of a body reach from a place, m.
  double reach(int body, const Vector3d& from, const Vector3d& along) const {
    double most = 0;
    if (body >= 0)
      for (const SceneShape& shape : scene_.bodies[static_cast<std::size_t>(body)].shapes)
        for (const Vector3d& point : points_around(shape))
          most = std::max(most, along.dot(pose_.on_body(body, {point.x(), point.y(), point.z()}) - from));
    return most;
  }

  // --- ground and loads

  // Once at each place.
  void add_ground(const Vector3d& place) {
    if (!look_.ground) return;
    if (std::ranges::any_of(grounds_, [&](const Vector3d& known) { return (known - place).norm() * at_.scale < 0.1; })) return;
    grounds_.push_back(place);
    draw_support(sketch_, at_(place), down_, flat_ ? SymbolPlace{Sketch::ground, 0} : over(Sketch::machine, place, -1));
  }

  void add_load(const SceneLoad& load) {
    if (load.offset < 0) return;
    const Vector3d is = pose_.point(load.offset), at = pose_.place(load.at);
    const Vector3d vector = load.in_body ? pose_.direction(load.at.body, {is.x(), is.y(), is.z()}) : is;
    if (load.kind == "force") {
      if (!(look_.largest_force > 0)) return;
      const Point way = longest_arrow / look_.largest_force * at_.along(vector);
      sketch_.arrow(Sketch::marks, "force", at_(at), at_(at) + way, mark_color, 0.45 * u_);
    } else if (look_.largest_torque > 0 && vector.norm() > 1e-3 * look_.largest_torque) {
      draw_turning_arrow(sketch_, at_(at), 4 * u_, vector.dot(at_.projection.towards) >= 0, "torque", mark_color, {Sketch::marks, 0});
    }
  }

  const PosedScene& pose_;
  const Scene& scene_;
  const MachineLook& look_;
  Sketch& sketch_;
  const Placement& at_;
  const double u_;
  const bool flat_;
  Point down_;
  std::vector<Vector3d> grounds_, springs_, dampers_;  // where they are drawn already
};

}  // namespace

std::string MachineColors::fill(int body) const {
  if (!pose.empty()) return mixed(pose, paper_color, 0.55);
  return body_colors[static_cast<std::size_t>(std::max(body, 0)) % body_colors.size()];
}

std::string MachineColors::edge(int body) const { return pose.empty() ? mixed(fill(body), "#000000", 0.5) : pose; }

void draw_machine(const PosedScene& pose, const MachineLook& look, Sketch& sketch) { MachineDrawer(pose, look, sketch).draw(); }

// The block and the shapes of its body where it meets an end stop.
static void add_reach_at_stop(const PosedScene& pose, const SceneJoint& joint, double stop, std::vector<Vector3d>& points) {
  const Vector3d moved = (stop - pose.slide(joint)) * pose.axis(joint);
  points.push_back(pose.place(joint.b) + moved);
  if (joint.b.body < 0) return;
  for (const SceneShape& shape : pose.scene().bodies[static_cast<std::size_t>(joint.b.body)].shapes)
    for (const Vector3d& point : points_around(shape))
      points.push_back(pose.on_body(joint.b.body, {point.x(), point.y(), point.z()}) + moved);
}

bool post_in_front(const PosedScene& pose, const SceneJoint& joint) {
  const Scene& scene = pose.scene();
  if (!is_slider(joint) || joint.driven) return false;  // its arrow is in front
  const Vector3d block = pose.place(joint.b), axis = pose.axis(joint);
  bool behind = false, in_front = false;
  const auto look = [&](const Vector3d& place) {
    const double along = axis.dot(place - block), aside = (place - block - along * axis).norm();
    if (aside < 0.5 * std::abs(along)) (along < 0 ? behind : in_front) = true;
  };
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k)
    if (k != joint.b.body && k != joint.a.body)
      for (const Vector3d& place : pose.reached(k)) look(place);
  return behind && !in_front;
}

std::vector<Vector3d> extent_of(const PosedScene& pose) {
  std::vector<Vector3d> points;
  const Scene& scene = pose.scene();
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k) {
    const SceneBody& body = scene.bodies[static_cast<std::size_t>(k)];
    if (body.beam)
      for (const Vector3d& point : pose.beam_points(k)) points.push_back(point);
    for (const SceneShape& shape : body.shapes)
      for (const Vector3d& point : points_around(shape)) points.push_back(pose.on_body(k, {point.x(), point.y(), point.z()}));
    if (!body.beam)
      for (const Vector3d& place : pose.reached(k)) points.push_back(place);
  }
  for (const Vector3d& place : pose.reached(-1)) points.push_back(place);
  for (const SceneJoint& joint : scene.joints)
    for (const auto& stop : joint.stops)
      if (stop && is_slider(joint)) add_reach_at_stop(pose, joint, *stop, points);
  for (const SceneDrawing& drawing : scene.drawings)
    for (int k = 0; k < drawing.points; ++k) points.push_back(pose.point(drawing.offset + 3 * k));
  for (const SceneProfile& profile : scene.profiles)
    for (const Triple& place : profile.outline) points.push_back(pose.on_body(profile.body, place));
  for (const SceneCoupling& coupling : scene.couplings)
    for (const Vector3d& point : extent_of_coupling(pose, coupling)) points.push_back(point);
  std::erase_if(points, [](const Vector3d& point) { return !point.allFinite(); });
  return points;
}

double drawing_unit(const PosedScene& pose, double scale) {
  std::vector<double> lengths;
  const Scene& scene = pose.scene();
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k) {
    const SceneBody& body = scene.bodies[static_cast<std::size_t>(k)];
    if (body.beam) lengths.push_back(body.beam->length);
    const std::vector<Vector3d> places = body.beam ? std::vector<Vector3d>{} : pose.reached(k);
    for (std::size_t i = 1; i < places.size(); ++i) lengths.push_back((places[i] - places[0]).norm());
  }
  std::erase_if(lengths, [](double length) { return !(length > 1e-9); });
  std::ranges::sort(lengths);
  const double typical = lengths.empty() ? far_away : lengths[lengths.size() / 2];  // of bodies with shapes alone: by the picture
  return std::clamp(0.036 * typical * scale, 2.3, 4.2);
}

}  // namespace armature::internal::plot
