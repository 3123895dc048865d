#include "simulate/zero_crossings.hpp"

#include <algorithm>

namespace armature {

void ZeroCrossings::keep_open(bool has_ranges, double from, double to, std::vector<Guard>& guards) {
  has_ranges_ = has_ranges;
  if (!has_ranges) return;
  ranges_.find(from, to);
  std::erase_if(guards, [&](const Guard& guard) { return guard.at(ranges_[guard.output].value).low >= 0; });
}

ZeroCrossings::Found ZeroCrossings::look(double from, double to, int depth, const std::vector<Guard>& guards) {
  if (!has_ranges_) return depth < coarse ? Found::unknown : Found::at_most_one;
  ranges_.find(from, to);
  const int deepest = ++looked_ > patience ? coarse : fine;
  Found found = Found::nothing;
  for (const Guard& guard : guards) {
    const Enclosure& function = ranges_[guard.output];
    if (guard.at(function.value).low >= 0) continue;
    const bool monotonic = function.rate.low > 0 || function.rate.high < 0;
    const bool last = depth >= (function.value.bounded() ? deepest : coarse);
    if (!monotonic && !last) return Found::unknown;
    found = Found::at_most_one;
  }
  return found;
}

}  // namespace armature
