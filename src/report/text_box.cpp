#include "report/text_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace armature::internal::plot {
namespace {

constexpr double ascent = 0.75, descent = 0.2;  // of the size of a text, above and below its baseline

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

Range range_along(const std::vector<Point>& outline, const Point& axis) {
  Range range;
  for (const Point& point : outline) {
    const double x = point.x * axis.x + point.y * axis.y;
    range = {std::min(range.low, x), std::max(range.high, x)};
  }
  return range;
}

// Whether their shadows overlap on the normal of each side of `sides`.
bool shadows_overlap(const std::vector<Point>& sides, const std::vector<Point>& a, const std::vector<Point>& b) {
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Point axis = across(unit_of(sides[(k + 1) % sides.size()] - sides[k]));
    const Range of_a = range_along(a, axis), of_b = range_along(b, axis);
    if (!(std::min(of_a.high, of_b.high) - std::max(of_a.low, of_b.low) > 1e-9)) return false;
  }
  return true;
}

}  // namespace

std::vector<Point> box_of(const Text& text) {
  const double angle = (text.upwards ? 90 : text.turn) * std::numbers::pi / 180,
               width = text_width(text.text, text.size);
  const double share = text.anchor == Text::Anchor::start ? 0 : text.anchor == Text::Anchor::middle ? 0.5 : 1;
  const Point along{std::cos(angle), -std::sin(angle)}, up{-std::sin(angle), -std::cos(angle)};
  const Point left = text.at - share * width * along, right = left + width * along, top = ascent * text.size * up,
              bottom = -descent * text.size * up;
  return {left + top, right + top, right + bottom, left + bottom};
}

bool overlap(const std::vector<Point>& a, const std::vector<Point>& b) {
  return shadows_overlap(a, a, b) && shadows_overlap(b, a, b);
}

}  // namespace armature::internal::plot
