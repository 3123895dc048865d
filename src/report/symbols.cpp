#include "report/symbols.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/machine_colors.hpp"

namespace armature::internal::plot {

using std::numbers::pi;

void draw_pin(Sketch& sketch, const Point& at, double radius, const std::string& fill, SymbolPlace place) {
  sketch.area(place.layer, "pin", circle(at, radius), fill, ink_color, place.depth);
}

void draw_hatch(Sketch& sketch, const Point& from, const Point& to, const Point& away, SymbolPlace place,
                const std::string& kind) {
  const double u = sketch.u, length = length_of(to - from);
  const Point along = unit_of(to - from);
  const int strokes = std::clamp(static_cast<int>(length / (0.95 * u)), 2, 200);
  sketch.line(place.layer, kind, {from, to}, metal_color, 0.36 * u, place.depth);
  for (int k = 0; k <= strokes; ++k) {
    const Point at = from + (length * k / strokes) * along;
    sketch.line(place.layer, kind, {at, at - 0.65 * u * along + 0.9 * u * away}, metal_color, 0.18 * u, place.depth);
  }
}

void draw_support(Sketch& sketch, const Point& at, const Point& down, SymbolPlace place) {
  const double u = sketch.u;
  const Point side = across(down), foot = at + 2.7 * u * down;
  sketch.area(place.layer, "ground", {at - 0.3 * u * down, foot + 1.9 * u * side, foot - 1.9 * u * side}, paper_color,
              metal_color, place.depth);
  draw_hatch(sketch, foot - 2.8 * u * side, foot + 2.8 * u * side, down, place);
}

void draw_clamp(Sketch& sketch, const Point& at, const Point& out, SymbolPlace place) {
  const Point side = 3.2 * sketch.u * across(out);
  draw_hatch(sketch, at - side, at + side, -1.0 * out, place);
}

void draw_coil(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place, double half_width) {
  const double u = sketch.u, length = length_of(b - a);
  const int turns = std::clamp(static_cast<int>(length / (3 * u)), 4, 9);
  sketch.line(place.layer, "spring", zigzag(a, b, half_width > 0 ? half_width : 1.15 * u, turns), ink_color, 0.26 * u,
              place.depth);
}

// A cup on a, a piston in it on b.
void draw_dashpot(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place) {
  const double u = sketch.u, half = 1.0 * u, length = length_of(b - a);
  const Point along = unit_of(b - a), side = half * across(along);
  const Point bottom = a + 0.35 * length * along, rim = a + 0.65 * length * along, piston = a + 0.5 * length * along;
  const double width = 0.26 * u;
  sketch.line(place.layer, "damper", {a, bottom}, ink_color, width, place.depth);
  sketch.line(place.layer, "damper", {rim + side, bottom + side, bottom - side, rim - side}, ink_color, width,
              place.depth);
  sketch.line(place.layer, "damper", {piston + 0.75 * side, piston - 0.75 * side}, ink_color, 2 * width, place.depth);
  sketch.line(place.layer, "damper", {piston, b}, ink_color, width, place.depth);
}

void draw_gas_spring(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place) {
  const double u = sketch.u, length = length_of(b - a);
  const Point along = unit_of(b - a), end = a + 0.58 * length * along;
  sketch.line(place.layer, "gas_spring", {end, b}, ink_color, 0.5 * u, place.depth);
  sketch.area(place.layer, "gas_spring", rectangle(0.5 * (a + end), along, 0.5 * length_of(end - a), 0.95 * u),
              "#dfe4e8", ink_color, place.depth);
}

void draw_actuator(Sketch& sketch, const Point& a, const Point& b, SymbolPlace place) {
  const double u = sketch.u, length = length_of(b - a);
  const Point along = unit_of(b - a), end = a + 0.58 * length * along;
  sketch.line(place.layer, "cylinder", {end, b}, mark_color, 0.6 * u, place.depth);
  sketch.area(place.layer, "cylinder", rectangle(0.5 * (a + end), along, 0.5 * length_of(end - a), 1.1 * u),
              mixed(mark_color, paper_color, 0.78), mark_color, place.depth);
}

void draw_bushing(Sketch& sketch, const Point& at, SymbolPlace place) {
  const double u = sketch.u;
  sketch.area(place.layer, "bushing", circle(at, 2.0 * u), "#c9d0d6", ink_color, place.depth);
  sketch.line(place.layer, "bushing", zigzag(at - Point{1.9 * u, 0}, at + Point{1.9 * u, 0}, 0.6 * u, 3), ink_color,
              0.2 * u, place.depth);
  sketch.area(place.layer, "bushing", circle(at, 0.7 * u), paper_color, ink_color, place.depth);
}

void draw_torsion_spring(Sketch& sketch, const Point& at, SymbolPlace place, double size) {
  const double u = size * sketch.u;
  sketch.line(place.layer, "torsion_spring", spiral(at, 0.9 * u, 2.9 * u, 2.4, 0.3), ink_color, 0.24 * u, place.depth);
}

// A curved dashpot: a cup along a circle about the joint, and a piston in it.
void draw_torsion_damper(Sketch& sketch, const Point& at, const Point& towards, double inner, SymbolPlace place,
                         double size) {
  inner *= size;
  const double u = size * sketch.u, outer = inner + 1.5 * u, half = 1.1 * u / inner,
               middle = std::atan2(towards.y, towards.x);
  std::vector<Point> cup = arc(at, inner, middle + half, middle - half);
  for (const Point& point : arc(at, outer, middle - half, middle + half)) cup.push_back(point);
  sketch.line(place.layer, "damper", cup, ink_color, 0.24 * u, place.depth);
  const auto ray = [&](double angle, double r) {
    return Point{at.x + r * std::cos(angle), at.y + r * std::sin(angle)};
  };
  sketch.line(place.layer, "damper", {ray(middle, inner + 0.25 * u), ray(middle, outer - 0.25 * u)}, ink_color, 0.5 * u,
              place.depth);
  sketch.line(place.layer, "damper", arc(at, 0.5 * (inner + outer), middle, middle + 1.8 * half), ink_color, 0.24 * u,
              place.depth);
}

void draw_stop(Sketch& sketch, const Point& at, const Point& along, double half_width, SymbolPlace place) {
  const Point side = half_width * across(along);
  draw_hatch(sketch, at - side, at + side, along, place, "stop");
}

void draw_motor(Sketch& sketch, const Point& at, const Point& letter_towards, SymbolPlace place) {
  const double u = sketch.u, radius = 2.1 * u;
  sketch.area(place.layer, "motor", circle(at, radius), mixed(mark_color, paper_color, 0.78), mark_color, place.depth);
  draw_motor_letter(sketch, at + radius * letter_towards, letter_towards);
}

void draw_motor_letter(Sketch& sketch, const Point& from, const Point& side) {
  const double size = std::max(2.1 * sketch.u, 6.0);
  const Point middle = from + 0.62 * size * side;
  sketch.text({middle.x, middle.y + 0.36 * size}, "M", size, mark_color);
}

void draw_turning_arrow(Sketch& sketch, const Point& at, double radius, bool counter_clockwise, const std::string& kind,
                        const std::string& color, SymbolPlace place) {
  const double u = sketch.u, sense = counter_clockwise ? -1 : 1;                   // y points down
  const double begin = (0.5 + 0.3 * sense) * pi, end = begin + sense * 1.35 * pi;  // open below, where the support is
  const std::vector<Point> way = arc(at, radius, begin, end - sense * 1.2 * u / radius);
  sketch.line(place.layer, kind, way, color, 0.32 * u, place.depth);
  const Point tip{at.x + radius * std::cos(end), at.y + radius * std::sin(end)}, back = way.back(),
                                                                                 along = unit_of(tip - back);
  const Point base = tip - 1.6 * u * along;
  sketch.add(
      place.layer,
      {{tip, base + 0.75 * u * across(along), base - 0.75 * u * across(along)}, color, {"", 0, {}}, true, 1, kind},
      place.depth);
}

double center_radius(const Sketch& sketch) { return std::max(1.1 * sketch.u, 2.6); }

// A disc of four quarters, two of them black.
void draw_center_of_mass(Sketch& sketch, const Point& at) {
  const double r = center_radius(sketch);
  sketch.area(Sketch::marks, "center", circle(at, r), paper_color, ink_color);
  for (const double from : {0.0, pi}) {
    std::vector<Point> quarter = arc(at, r, from, from + pi / 2);
    quarter.push_back(at);
    sketch.area(Sketch::marks, "center", std::move(quarter), ink_color, "");
  }
}

}  // namespace armature::internal::plot
