// Dimension lines: parallel to the length that they give, outside of the machine where there is a choice, with lines from its ends. Shorter
// ones are nearer to the machine; none lies on another or on a text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "report/machine_colors.hpp"
#include "report/plot_style.hpp"
#include "report/pose_marks.hpp"
#include "report/text_box.hpp"

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

constexpr double arrow_width = 1.3;  // points, half of it

struct Length {
  Point from, to;
  std::string text;
  double away;  // of its line, at least, in units of the sketch
};

struct Dimension {
  Point from, to;
  std::array<std::pair<Point, Point>, 2> sides;  // lines from what is measured
  Text text;
};

class DimensionDrawer {
 public:
  DimensionDrawer(const PosedScene& pose, Sketch& sketch) : pose_(pose), sketch_(sketch), u_(sketch.u) {
    int count = 0;
    for (const SceneJoint& joint : pose.scene().joints) middle_ = middle_ + sketch.at(pose.place(joint.b)), ++count;
    if (count > 0) middle_ = (1.0 / count) * middle_;
  }

  void draw() {
    const Scene& scene = pose_.scene();
    for (int k = -1; k < static_cast<int>(scene.bodies.size()); ++k) {
      const std::string stem = k < 0 ? "ground" : stem_of(scene.bodies[static_cast<std::size_t>(k)].name);
      const std::vector<Vector3d> places = joint_places(k);
      const std::size_t sides = places.size() < 2 ? 0 : places.size() == 2 || k < 0 ? places.size() - 1 : places.size();
      for (std::size_t i = 0; i < sides; ++i)
        if (const Vector3d& a = places[i], &b = places[(i + 1) % places.size()]; sides == 1 || is_seen_whole(a, b))
          add_once(stem, a, b);
    }
    for (std::size_t k = 0; k < scene.bodies.size(); ++k)
      if (scene.bodies[k].beam && joint_places(static_cast<int>(k)).size() < 2) {
        const std::vector<Vector3d> points = pose_.beam_points(static_cast<int>(k));
        add_once(stem_of(scene.bodies[k].name), points.front(), points.back());
      }
    std::ranges::stable_sort(lengths_, {}, [](const Length& length) { return length_of(length.to - length.from); });
    for (const Length& length : lengths_) dimensions_.push_back(placed(length)), draw(dimensions_.back());
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
        if (std::ranges::none_of(places, [&](const Vector3d& known) { return (known - at).norm() < 1e-6; }))
          places.push_back(at);
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
    if (!measured_.insert(stem + length_text(length)).second || length_of(sketch_.at(b) - sketch_.at(a)) < 14) return;
    const Point from = sketch_.at(a), to = sketch_.at(b);
    const auto is_same = [&](const Length& other) {
      return length_of(other.from - from) + length_of(other.to - to) < 3;
    };
    if (std::ranges::any_of(lengths_, is_same)) return;  // one body behind another
    lengths_.push_back({from, to, length_text(length), stem == "ground" ? 8.0 : 5.0});
  }

  // Across the length, away from the middle of the machine.
  Point outward(const Point& a, const Point& b) const {
    const Point side = across(unit_of(b - a)), out = 0.5 * (a + b) - middle_;
    return side.x * out.x + side.y * out.y < 0 ? -1.0 * side : side;
  }

  // As near as `length` wants, or farther out.
  Dimension placed(const Length& length) const {
    for (double away = length.away;; away += 3.5)
      if (const Dimension dimension = at_distance(length, away); is_free(dimension)) return dimension;
  }

  Dimension at_distance(const Length& length, double away) const {
    const Point along = unit_of(length.to - length.from), side = outward(length.from, length.to);
    const Point from = length.from + away * u_ * side, to = length.to + away * u_ * side;
    double turn = -std::atan2(along.y, along.x) * 180 / std::numbers::pi;  // read from below or from the right
    if (turn > 90.001) turn -= 180;
    if (turn <= -89.999) turn += 180;
    const double angle = turn * std::numbers::pi / 180;
    const Point above{-std::sin(angle), -std::cos(angle)};
    const Text text{0.5 * (from + to) + 1.8 * above,
                    length.text,
                    small_font,
                    Text::Anchor::middle,
                    false,
                    false,
                    turn,
                    true,
                    ink_color};
    return {from,
            to,
            {std::pair{length.from + 1.6 * u_ * side, from + 1.2 * u_ * side},
             {length.to + 1.6 * u_ * side, to + 1.2 * u_ * side}},
            text};
  }

  bool is_free(const Dimension& dimension) const {
    const std::vector<Point> text = box_of(dimension.text), line = strip(dimension.from, dimension.to, arrow_width);
    const auto hinders = [&](const Dimension& other) {
      return overlap(text, strip(other.from, other.to, arrow_width)) || overlap(line, box_of(other.text)) ||
             lies_on(dimension, other) || std::ranges::any_of(other.sides, [&](const auto& side) {
               return overlap(text, strip(side.first, side.second, 0));
             });
    };
    return std::ranges::none_of(dimensions_, hinders) &&
           std::ranges::none_of(sketch_.texts(), [&](const Text& other) { return overlap(text, box_of(other)); });
  }

  // Lines that cross are told apart, those in nearly one direction need the height of a text between them.
  static bool lies_on(const Dimension& a, const Dimension& b) {
    constexpr double flat = 0.3;  // sine of the angle between lines that would be taken for one
    const Point u = unit_of(a.to - a.from), v = unit_of(b.to - b.from);
    return std::abs(u.x * v.y - u.y * v.x) < flat &&
           overlap(strip(a.from, a.to, 0.5 * small_font), strip(b.from, b.to, 0.5 * small_font));
  }

  static std::vector<Point> strip(const Point& a, const Point& b, double half_width) {
    return rectangle(0.5 * (a + b), unit_of(b - a), 0.5 * length_of(b - a), std::max(half_width, 0.2));
  }

  void draw(const Dimension& dimension) {
    const auto& [from, to, sides, text] = dimension;
    for (const auto& [begin, end] : sides) sketch_.line(Sketch::marks, "dimension", {begin, end}, pitch_color, 0.4);
    sketch_.line(Sketch::marks, "dimension", {from, to}, pitch_color, 0.5);
    const Point along = unit_of(to - from);
    for (const auto& [end, way] : {std::pair{from, -1.0}, std::pair{to, 1.0}}) {
      const Point base = end - 5 * way * along;
      sketch_.area(Sketch::marks, "dimension",
                   {end, base + arrow_width * across(along), base - arrow_width * across(along)}, pitch_color, "");
    }
    sketch_.text(text);
  }

  const PosedScene& pose_;
  Sketch& sketch_;
  const double u_;
  Point middle_{};
  std::set<std::string> measured_;
  std::vector<Length> lengths_;
  std::vector<Dimension> dimensions_;  // as they are drawn
};

}  // namespace

void draw_dimensions(const PosedScene& pose, Sketch& sketch) { DimensionDrawer(pose, sketch).draw(); }

}  // namespace armature::internal::plot
