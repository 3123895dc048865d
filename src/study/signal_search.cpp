#include "study/signal_search.hpp"

namespace armature::internal {

SignalSearch::Part SignalSearch::bounded(double sign, double from, double to) {
  ++looked_;
  ranges_.find(from, to);
  const Enclosure& y = ranges_[output_];
  return sign > 0 ? Part{from, to, y.value.high, y.rate} : Part{from, to, -y.value.low, -y.rate};
}

// Around a top that is resolved the rate, over the whole part, leads four times as far as its samples lie apart.
bool SignalSearch::tells(double from, double to, const Samples& y, double size) {
  const double h = to - from;
  if (!(h * std::abs(boole(y) - simpson(y)) <= smooth * size)) return false;
  const Range rate = bounded(1, from, to).rate;
  if (rate.low > 0 || rate.high < 0) return true;
  const auto [least, most] = std::ranges::minmax(y);
  const double way = rate.size() * h / ranges_.unit();
  return h * (way - 8 * (most - least)) <= hidden * size;
}

}  // namespace armature::internal
