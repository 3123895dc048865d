// The first zero of several functions in a step. Of each a range is known over any part of the step (path_ranges.hpp), and of
// its rate:
//
//   the range does not contain zero        there is none
//   the range of the rate does not         there is at most one: the signs at both ends decide
//   else                                   both halves are looked at, the earlier one first
//
// until a part is as short as can be. Functions without bounds (a division by what may be zero) are halved a few times only,
// and the signs at the ends decide then.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "simulate/path_ranges.hpp"

namespace armature {

// sign * output + offset: where it becomes negative something happens.
struct Guard {
  int output;
  double sign, offset;
  double at(double value) const { return sign * value + offset; }
  Range at(const Range& value) const {
    return sign > 0 ? Range{value.low + offset, value.high + offset} : Range{offset - value.high, offset - value.low};
  }
};

class ZeroCrossings {
 public:
  explicit ZeroCrossings(PathRanges& ranges) : ranges_(ranges) {}

  // Those guards that may become negative between two times, by ranges; all where there are none.
  void keep_open(bool has_ranges, double from, double to, std::vector<Guard>& guards);

  // The first part of it at the end of which some guard is negative, though none is before. negative(t): whether there is one
  // at t.
  struct Part {
    double from, to;
  };
  template <class Negative>
  std::optional<Part> first(double from, double to, const std::vector<Guard>& guards, const Negative& negative);

 private:
  static constexpr int coarse = 5;       // halvings where nothing else is known
  static constexpr int fine = 40;        // halvings at most
  static constexpr int patience = 2000;  // parts looked at in a step before it is left at coarse
  enum class Found { nothing, at_most_one, unknown };
  Found look(double from, double to, int depth, const std::vector<Guard>& guards);
  template <class Negative>
  std::optional<Part> first_in(double from, double to, int depth, const std::vector<Guard>& guards,
                               const Negative& negative);

  PathRanges& ranges_;
  bool has_ranges_ = false;
  int looked_ = 0;
};

template <class Negative>
std::optional<ZeroCrossings::Part> ZeroCrossings::first(double from, double to, const std::vector<Guard>& guards,
                                                        const Negative& negative) {
  looked_ = 0;
  return first_in(from, to, 0, guards, negative);
}

template <class Negative>
std::optional<ZeroCrossings::Part> ZeroCrossings::first_in(double from, double to, int depth,
                                                           const std::vector<Guard>& guards, const Negative& negative) {
  const Found found = look(from, to, depth, guards);
  if (found == Found::nothing) return std::nullopt;
  const double middle = 0.5 * (from + to);
  if (found == Found::at_most_one || !(middle > from && middle < to))
    return negative(to) ? std::optional(Part{from, to}) : std::nullopt;
  if (const std::optional<Part> part = first_in(from, middle, depth + 1, guards, negative)) return part;
  return first_in(middle, to, depth + 1, guards, negative);
}

}  // namespace armature
