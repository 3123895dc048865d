#include "report/sketch.hpp"

#include <algorithm>

namespace armature::internal::plot {

void Sketch::arrow(Layer layer, const std::string& kind, const Point& from, const Point& to, const std::string& color,
                   double width, double depth) {
  const double length = length_of(to - from), head = std::min(1.9 * u, 0.6 * length);
  if (length < 0.5 * u) return;
  const Point along = unit_of(to - from), base = to - head * along;
  line(layer, kind, {from, base}, color, width, depth);
  add(layer,
      {{to, base + 0.42 * head * across(along), base - 0.42 * head * across(along)}, color, {"", 0, {}}, true, 1, kind},
      depth);
}

void Sketch::text(const Point& middle, const std::string& text, double size, const std::string& color, double turn) {
  texts_.push_back({middle, text, size, Text::Anchor::middle, false, false, turn, true, color});
}

void Sketch::finish(Drawing& drawing) {
  std::ranges::stable_sort(entries_, [](const Entry& a, const Entry& b) {
    return a.layer != b.layer ? a.layer < b.layer : a.depth < b.depth;
  });
  for (Entry& entry : entries_) drawing.shapes.push_back(std::move(entry.shape));
  for (Text& text : texts_) drawing.texts.push_back(std::move(text));
  entries_.clear(), texts_.clear();
}

}  // namespace armature::internal::plot
