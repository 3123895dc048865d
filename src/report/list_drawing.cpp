// Symbols in a picture.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "report/display_list.hpp"
#include "report/machine_colors.hpp"
#include "report/solids.hpp"
#include "report/space_line.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

std::string color_of(const std::string& role, const MachineColors& colors) {
  if (role.starts_with("body ")) return colors.fill(std::stoi(role.substr(5)));
  if (role.starts_with("pale body ")) return mixed(colors.fill(std::stoi(role.substr(10))), paper_color, 0.6);
  if (role.starts_with("edge ")) return colors.edge(std::stoi(role.substr(5)));
  if (role == "ink") return ink_color;
  if (role == "metal") return metal_color;
  if (role == "pale metal") return "#dfe4e8";
  if (role == "pin") return "#b9c1c9";
  if (role == "mark") return mark_color;
  if (role == "pale mark") return mixed(mark_color, paper_color, 0.78);
  return role == "pitch" ? pitch_color : role == "paper" ? paper_color : "";
}

double length_in(const MachineSketch& m, const Anchor& place, const SymbolLength& length, const Vector3d& along) {
  const double u = m.at.meters(m.u);
  double sum = length.m + length.u * u;
  if (!place.of_joint) return sum;
  const SceneJoint& joint = m.scene.joints[place.index];
  const auto& [low, high] = m.look.travel[place.index];
  if (length.low != 0) sum += length.low * low;
  if (length.high != 0) sum += length.high * high;
  if (length.stop >= 0) sum += joint.stops[static_cast<std::size_t>(length.stop)].value_or(0);
  if (length.reach == 0) return sum;
  const Vector3d side = length.reach < 0 ? Vector3d(-along) : along;
  return sum + length.reach * std::max(length.least * u, reach_of(m, joint.b, side));
}

// Where the corners of a symbol are, m.
class SymbolFrame {
 public:
  SymbolFrame(const MachineSketch& m, const Symbol& symbol)
      : m_(m), symbol_(symbol), from(placed(m, symbol.at)), to(symbol.to ? placed(m, *symbol.to) : from) {
    set_axes();
  }

  Vector3d operator()(const Corner& at) const {
    const double u = m_.at.meters(m_.u);
    return from + at.share * (to - from) + (at.along * u + at.along_m) * along_ +
           (at.across * u + at.across_m) * across_;
  }
  Point direction(const Corner& at) const { return m_.at.along(at.along * along_ + at.across * across_); }

  // Not of what lies along a line that is seen from its end.
  bool is_seen() const {
    const bool is_turned = !m_.flat && !symbol_.to && symbol_.along && !symbol_.across && !symbol_.base;
    return !is_turned || length_of(m_.at.along(direction(*symbol_.along))) >= 0.2;
  }

 private:
  Vector3d direction(const SymbolDirection& given) const {
    Vector3d along = given.along;
    if (symbol_.stop >= 0) {
      const SceneJoint& joint = m_.scene.joints[symbol_.at.index];
      const double stop = joint.stops[static_cast<std::size_t>(symbol_.stop)].value_or(0);
      along = Eigen::AngleAxisd(stop, to_vector(joint.stop_arm->axis).normalized()) * along;
    }
    return m_.pose.direction(given.body, {along.x(), along.y(), along.z()});
  }
  void set_axes() {
    if (symbol_.along && symbol_.across) {
      along_ = direction(*symbol_.along), across_ = direction(*symbol_.across);
      return;
    }
    const Vector3d axis =
        symbol_.about < 0 ? Vector3d::Zero() : m_.pose.axis(m_.scene.joints[static_cast<std::size_t>(symbol_.about)]);
    if (symbol_.to && symbol_.about >= 0) {
      along_ = (to - from - axis * axis.dot(to - from)).normalized(), across_ = axis.cross(along_);
      return;
    }
    const Vector3d given = symbol_.to      ? Vector3d(to - from)
                           : symbol_.along ? direction(*symbol_.along)
                                           : m_.at.projection.right;
    const bool is_behind = !symbol_.to && !symbol_.along && axis.dot(m_.at.projection.towards) < 0;
    const Point along = unit_of(m_.at.along(given));
    along_ = m_.in_space(is_behind ? -1.0 * along : along), across_ = m_.in_space(across(along));
  }

  const MachineSketch& m_;
  const Symbol& symbol_;
  Vector3d along_, across_;

 public:
  const Vector3d from, to;
};

// In space a line from end to end, or around something, is hidden piece by piece. A thread is seen as far as its screw is: its front is
// over the screw, its back behind.
bool is_in_pieces(const MachineSketch& m, const Symbol& symbol, const SymbolPart& part) {
  const bool is_plain = part.corners.size() == 2 && part.corners[0].share == 0 && part.corners[1].share == 1 &&
                        part.corners[0].across == 0;
  return !m.flat && symbol.to && !part.dashed && (is_plain || symbol.about >= 0);
}
void draw_pieces(MachineSketch& m, const Symbol& symbol, const std::vector<Vector3d>& line, const LineStyle& style) {
  const auto depth = [&](const Vector3d& x) { return m.at.projection.depth(x); };
  const SceneJoint* screw = symbol.kind == "screw" ? &m.scene.joints[static_cast<std::size_t>(symbol.about)] : nullptr;
  const std::optional<RoundShape> shape = screw ? shape_about(m.pose, *screw) : std::nullopt;
  if (!shape) return draw_space_line(m.sketch, symbol.kind, line, style);
  const Vector3d at = m.pose.place(screw->a), axis = m.pose.axis(*screw);
  const double step = m.at.meters(0.1 * m.u);
  draw_space_line(m.sketch, symbol.kind, line, style, [&](const Vector3d& place) {
    const Vector3d middle = at + axis * axis.dot(place - at);
    return depth(shape->middle) + (depth(place) > depth(middle) ? step : -step);
  });
}

void draw_part(MachineSketch& m, const Symbol& symbol, const SymbolPart& part, const SymbolFrame& frame,
               const SymbolPlace& place) {
  const std::string color = color_of(part.color, m.look.colors), edge = color_of(part.edge, m.look.colors);
  const double u = m.u, size = part.size * u;
  std::vector<Vector3d> corners;
  std::vector<Point> points;
  for (const Corner& corner : corners_of(part))
    corners.push_back(frame(corner)), points.push_back(m.at(corners.back()));
  const std::vector<double> dash =
      part.dashed ? std::vector<double>{3.2 * u, 0.9 * u, 0.6 * u, 0.9 * u} : std::vector<double>{};
  switch (part.kind) {
    case SymbolPart::line:
      if (is_in_pieces(m, symbol, part)) return draw_pieces(m, symbol, corners, {color, size});
      return m.sketch.line(place.layer, symbol.kind, points, color, size, place.depth, dash);
    case SymbolPart::area: return m.sketch.area(place.layer, symbol.kind, points, color, edge, place.depth);
    case SymbolPart::circle:
    case SymbolPart::ball:
      return m.sketch.area(place.layer, symbol.kind, circle(m.at(frame.from), size), color, edge, place.depth);
    case SymbolPart::hatch:
      if (length_of(points[1] - points[0]) < u) return;
      return draw_hatch(m.sketch, points[0], points[1], frame.direction(part.corners[2]), place, symbol.kind);
    case SymbolPart::rod:
      return draw_cylinder(frame.from, frame.to, m.at.meters(size), symbol.kind, color, edge, Sketch::machine, m.sketch,
                           m.at.meters(symbol.lift * u));
    case SymbolPart::letter: return draw_motor_letter(m.sketch, points[1], unit_of(points[1] - points[0]));
  }
}

}  // namespace

const ScenePlace& scene_place(const Scene& scene, const Anchor& place) {
  const bool first = place.side == Anchor::a;
  if (place.of_joint) return first ? scene.joints[place.index].a : scene.joints[place.index].b;
  return first ? scene.links[place.index].a : scene.links[place.index].b;
}

Vector3d placed(const MachineSketch& m, const Anchor& place) {
  Vector3d at = m.pose.place(scene_place(m.scene, place));
  const int body = place.of_joint ? m.scene.joints[place.index].a.body : -1;
  for (const auto& [along, length] : place.shifts) {
    const Vector3d way = m.pose.direction(body, {along.x(), along.y(), along.z()});
    at += length_in(m, place, length, way) * way;
  }
  return at;
}

void draw_symbol(MachineSketch& m, const Symbol& symbol) {
  const SymbolFrame frame(m, symbol);
  if (!frame.is_seen()) return;
  const SymbolPlace place = m.flat || (symbol.over && symbol.lift == 0)
                                ? SymbolPlace{symbol.layer, symbol.depth}
                                : m.over(symbol.layer, 0.5 * (frame.from + frame.to), symbol.lift);
  for (const SymbolPart& part : symbol.shape) draw_part(m, symbol, part, frame, place);
}

}  // namespace armature::internal::plot
