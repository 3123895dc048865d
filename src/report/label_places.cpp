#include "report/label_places.hpp"

#include <algorithm>

#include "report/text_box.hpp"

namespace armature::internal::plot {
namespace {

constexpr Point label_sides[] = {{0, -1}, {1, -1}, {-1, -1}, {0, 1},
                                 {1, 1},  {-1, 1}, {1, 0},   {-1, 0}};  // supports are below

Text placed_beside(Text label, const Point& at, double away, const Point& side) {
  const Point out{side.x * (0.5 * text_width(label.text, label.size) + away), side.y * (0.5 * label.size + away)};
  label.at = at + out + Point{0, 0.35 * label.size};
  return label;
}

}  // namespace

bool LabelPlaces::is_free(const Text& label) const {
  const std::vector<Point> box = box_of(label);
  return std::ranges::none_of(taken_, [&](const auto& outline) { return overlap(box, outline); }) &&
         std::ranges::none_of(sketch_.texts(), [&](const Text& other) { return overlap(box, box_of(other)); });
}

// Where it is wanted, else above, below or beside the place; then farther and farther away.
void LabelPlaces::add(Text label, const Point& at, double away, const Point& wanted) {
  if (const Text there = placed_beside(label, at, away, wanted); steady_ || is_free(there)) return sketch_.text(there);
  for (;; away += label.size)
    for (const Point& side : label_sides)
      if (const Text beside = placed_beside(label, at, away, side); is_free(beside)) return sketch_.text(beside);
}

}  // namespace armature::internal::plot
