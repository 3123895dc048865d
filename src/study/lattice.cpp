#include "study/lattice.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace armature::internal {

namespace {

std::int64_t finest_count(const Axis& axis, int levels) {
  return (static_cast<std::int64_t>(axis.count - 1) << levels) + 1;
}

}  // namespace

Lattice::Lattice(std::vector<Axis> axes, int levels)
    : axes_(std::move(axes)), levels_(levels), side_(std::int64_t{1} << levels) {
  double size = 1;
  for (const Axis& axis : axes_) size *= static_cast<double>(finest_count(axis, levels));
  if (levels > 40 || size > 9e18) throw std::length_error("the refined lattice has too many places to be numbered");
  // counted like the places of a number: the last axis runs fastest
  Place place(axes_.size(), 0);
  for (;;) {
    add(place);
    bool inside = true;
    for (std::size_t d = 0; d < axes_.size(); ++d) inside = inside && place[d] + side_ < finest_count(axes_[d], levels);
    if (inside) boxes_.push_back(place);
    std::size_t d = axes_.size();
    while (d > 0 && place[d - 1] + side_ >= finest_count(axes_[d - 1], levels)) place[--d] = 0;
    if (d == 0) return;
    place[d - 1] += side_;
  }
}

Lattice::Key Lattice::key_of(const Place& place) const {
  Key key = 0;
  for (std::size_t d = 0; d < axes_.size(); ++d)
    key = key * static_cast<Key>(finest_count(axes_[d], levels_)) + static_cast<Key>(place[d]);
  return key;
}

Lattice::Place Lattice::place_of(Key key) const {
  Place place(axes_.size());
  for (std::size_t d = axes_.size(); d-- > 0;) {
    const auto count = static_cast<Key>(finest_count(axes_[d], levels_));
    place[d] = static_cast<std::int64_t>(key % count);
    key /= count;
  }
  return place;
}

double Lattice::coordinate(std::size_t axis, std::int64_t k) const {
  const Axis& a = axes_[axis];
  const std::int64_t unit = std::int64_t{1} << levels_;
  if (k % unit == 0) return a.at(static_cast<int>(k / unit));
  return a.from + (a.to - a.from) * (static_cast<double>(k) / static_cast<double>(finest_count(a, levels_) - 1));
}

long Lattice::find(Key key) const {
  const auto found = node_.find(key);
  return found == node_.end() ? -1 : found->second;
}

void Lattice::add(const Place& place) {
  const Key key = key_of(place);
  if (!node_.emplace(key, nodes()).second) return;
  keys_.push_back(key);
  level_.push_back(current_);
}

Points Lattice::points(long first) const {
  Points points{static_cast<int>(axes_.size()), {}};
  for (long k = first; k < nodes(); ++k) {
    const Place place = place_of(keys_[static_cast<std::size_t>(k)]);
    for (std::size_t d = 0; d < axes_.size(); ++d) points.values.push_back(coordinate(d, place[d]));
  }
  return points;
}

template <class F>
void Lattice::each_place(const Place& corner, F f) const {
  std::size_t count = 1;
  for (std::size_t d = 0; d < axes_.size(); ++d) count *= 3;
  Place place(axes_.size());
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t rest = k;
    for (std::size_t d = axes_.size(); d-- > 0; rest /= 3)
      place[d] = corner[d] + static_cast<std::int64_t>(rest % 3) * (side_ / 2);
    f(place);
  }
}

// Whether the nodes that the box has by now, also those that its neighbors have put on its edges, differ.
bool Lattice::mixed(const Place& corner) const {
  const int of_corner = class_[static_cast<std::size_t>(find(key_of(corner)))];
  bool differ = false;
  each_place(corner, [&](const Place& place) {
    const long node = find(key_of(place));
    differ = differ || (node >= 0 && class_[static_cast<std::size_t>(node)] != of_corner);
  });
  return differ;
}

void Lattice::split(const Place& corner) {
  each_place(corner, [&](const Place& place) {
    add(place);
    auto first = corner.begin();
    const bool is_part = std::ranges::all_of(place, [&](std::int64_t at) { return at < *first++ + side_; });
    if (is_part) parts_.push_back(place);
  });
}

bool Lattice::split_mixed() {
  const long before = nodes();
  std::vector<Place> whole, halved;
  for (Place& box : boxes_) (mixed(box) ? halved : whole).push_back(std::move(box));
  boxes_ = std::move(whole);
  for (const Place& box : halved) split(box);
  return nodes() > before;
}

void Lattice::classify(const std::vector<int>& classes) {
  class_.insert(class_.end(), classes.begin(), classes.end());
  assert(class_.size() == keys_.size());
  if (levels_ == 0) return;
  if (current_ > 0 && split_mixed()) return;  // boxes at which neighbors have found a boundary
  while (current_ < levels_) {
    if (current_ > 0) {
      boxes_ = std::move(parts_);
      side_ /= 2;
      parts_.clear();
    }
    ++current_;
    if (split_mixed()) return;
  }
}

std::vector<Lattice::Border> Lattice::borders() const {
  std::vector<Border> borders;
  for (long a = 0; a < nodes(); ++a) {
    const Place place = place_of(keys_[static_cast<std::size_t>(a)]);
    for (std::size_t d = 0; d < axes_.size(); ++d) {
      Place next = place;
      for (int level = 0; level <= levels_; ++level) {
        next[d] = place[d] + (std::int64_t{1} << level);
        if (next[d] >= finest_count(axes_[d], levels_)) break;
        const long b = find(key_of(next));
        if (b < 0) continue;
        if (class_[static_cast<std::size_t>(a)] != class_[static_cast<std::size_t>(b)])
          borders.push_back({a, b, static_cast<int>(d), coordinate(d, next[d]) - coordinate(d, place[d])});
        break;
      }
    }
  }
  return borders;
}

}  // namespace armature::internal
