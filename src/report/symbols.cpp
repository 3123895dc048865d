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
