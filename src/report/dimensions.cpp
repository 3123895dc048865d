// Dimension lines: parallel to the length that they give, outside of the machine where there is a choice, with lines from its ends.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "report/machine_colors.hpp"
#include "report/plot_style.hpp"
#include "report/pose_marks.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

std::string length_text(double length) {
  return length < 0.9995 ? fmt::format("{:.4g} mm", 1000 * length) : fmt::format("{:.4g} m", length);
}

std::string stem_of(std::string name) {
  std::erase_if(name, [](unsigned char c) { return std::isdigit(c); });
  return name;
}

class DimensionDrawer {
 public:
  DimensionDrawer(const PosedScene& pose, Sketch& sketch) : pose_(pose), sketch_(sketch), u_(sketch.u) {
    int count = 0;
    for (const SceneJoint& joint : pose.scene().joints)
      middle_ = middle_ + sketch.at(pose.place(joint.b)), ++count;
    if (count > 0) middle_ = (1.0 / count) * middle_;
  }

  void draw() {
    const Scene& scene = pose_.scene();
    for (int k = -1; k < static_cast<int>(scene.bodies.size()); ++k) {
      const std::string stem = k < 0 ? "ground" : stem_of(scene.bodies[static_cast<std::size_t>(k)].name);
      const std::vector<Vector3d> places = joint_places(k);
      const std::size_t sides = places.size() < 2 ? 0 : places.size() == 2 || k < 0 ? places.size() - 1 : places.size();
      for (std::size_t i = 0; i < sides; ++i)
        if (const Vector3d &a = places[i], &b = places[(i + 1) % places.size()]; sides == 1 || is_seen_whole(a, b)) add_once(stem, a, b);
    }
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      if (scene.bodies[k].beam && joint_places(static_cast<int>(k)).size() < 2) {
        const std::vector<Vector3d> points = pose_.beam_points(static_cast<int>(k));
        add_once(stem_of(scene.bodies[k].name), points.front(), points.back());
      }
  }

 private:
  // Where joints hold it that turn; a slider on the ground has no length of its own.
  std::vector<Vector3d> joint_places(int body) const {
    std::vector<Vector3d> places;
    for (const SceneJoint& joint : pose_.scene().joints) {
      if (joint.glyph.empty() || (joint.glyph == "slider" && body < 0)) continue;
      for (const ScenePlace* place : {&joint.a, &joint.b}) {
        if (place->body != body) continue;
        const Vector3d at = pose_.place(*place);
        if (std::ranges::none_of(places, [&](const Vector3d& known) { return (known - at).norm() < 1e-6; })) places.push_back(at);
      }
    }
    return places;
  }

  // Of a plate only sides that are not shortened by the projection.
  bool is_seen_whole(const Vector3d& a, const Vector3d& b) const {
    return length_of(sketch_.at(b) - sketch_.at(a)) > 0.97 * (b - a).norm() * sketch_.at.scale;
  }

  void add_once(const std::string& stem, const Vector3d& a, const Vector3d& b) {
    const double length = (b - a).norm();
    if (!drawn_.insert(stem + length_text(length)).second || length_of(sketch_.at(b) - sketch_.at(a)) < 14) return;
    const Point from = sketch_.at(a), to = sketch_.at(b), side = outward(from, to);
    const auto is_same = [&](const std::pair<Point, Point>& other) { return length_of(other.first - from) + length_of(other.second - to) < 3; };
    if (std::ranges::any_of(measured_, is_same)) return;  // one body behind another
    measured_.emplace_back(from, to);
    double away = stem == "ground" ? 8 : 5;
    for (int tries = 0; tries < 3 && is_taken(0.5 * (from + to) + away * u_ * side, length_text(length)); ++tries) away += 3.5;
    add(from, to, length_text(length), away);
  }

  // Across the length, away from the middle of the machine.
  Point outward(const Point& a, const Point& b) const {
    const Point side = across(unit_of(b - a)), out = 0.5 * (a + b) - middle_;
    return side.x * out.x + side.y * out.y < 0 ? -1.0 * side : side;
  }

  // Another text is there already.
  bool is_taken(const Point& center, const std::string& text) {
    const double width = text_width(text, small_font);
    for (const auto& [other, other_width] : texts_)
      if (std::abs(other.x - center.x) < 0.5 * (width + other_width) && std::abs(other.y - center.y) < small_font) return true;
    return false;
  }

  // `away`: of the line from what it measures, in units.
  void add(const Point& a, const Point& b, const std::string& text, double away) {
    const Point along = unit_of(b - a), side = outward(a, b);
    const Point from = a + away * u_ * side, to = b + away * u_ * side;
    for (const auto& [place, end] : {std::pair{a, from}, std::pair{b, to}})
      sketch_.line(Sketch::marks, "dimension", {place + 1.6 * u_ * side, end + 1.2 * u_ * side}, pitch_color, 0.4);
    const Point center = 0.5 * (from + to);
    texts_.emplace_back(center, text_width(text, small_font));
    sketch_.line(Sketch::marks, "dimension", {from, to}, pitch_color, 0.5);
    for (const auto& [end, way] : {std::pair{from, -1.0}, std::pair{to, 1.0}}) {
      const Point base = end - 5 * way * along;
      sketch_.area(Sketch::marks, "dimension", {end, base + 1.3 * across(along), base - 1.3 * across(along)}, pitch_color, "");
    }
    double turn = -std::atan2(along.y, along.x) * 180 / std::numbers::pi;  // read from below or from the right
    if (turn > 90.001) turn -= 180;
    if (turn <= -89.999) turn += 180;
    const double angle = turn * std::numbers::pi / 180;
    const Point above{-std::sin(angle), -std::cos(angle)};
    sketch_.text(center + 1.8 * above, text, small_font, ink_color, turn);
  }

  const PosedScene& pose_;
  Sketch& sketch_;
  const double u_;
  Point middle_{};
  std::set<std::string> drawn_;
  std::vector<std::pair<Point, Point>> measured_;
  std::vector<std::pair<Point, double>> texts_;  // middle and width
};

}  // namespace

void draw_dimensions(const PosedScene& pose, Sketch& sketch) { DimensionDrawer(pose, sketch).draw(); }

}  // namespace armature::internal::plot
