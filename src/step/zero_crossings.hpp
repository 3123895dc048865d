// The first zero of several functions in a step. Of each a range is known over any part of the step, and of its rate:
//
//   the range does not contain zero        there is none
//   the range of the rate does not         there is at most one: the signs at both ends decide
//   else                                   both halves are looked at, the earlier one first
//
// until a part is as short as can be. Where a function has no bounds, it has a pole (tan, a division by what passes through zero), and the
// parts beside it have bounds. If parts have none however short they are, it is no pole: up to the next part with bounds parts are halved a
// few times only, and the signs at the ends decide then. So are, after many parts, functions that rest at zero, where large numbers cancel.
// Any other one is followed as often as it comes near zero; after very many parts the search ends where it has come to, and says so.
//
// Ranges:
//   void find(double from, double to)    over a part of the step
//   [output].value, .rate, .middle       ranges, each with low and high, and the value in the middle, for any output, after find()
//   unit()                               of time, in which rates are measured
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

// sign * output + offset: where it becomes negative something happens.
struct Guard {
  int output;
  double sign, offset;
  double rest = 0;  // so near to zero ranges may not tell it from zero
  ARMATURE_STEP double at(double value) const { return sign * value + offset; }
  template <class Range>
  ARMATURE_STEP double least(const Range& value) const {
    return sign > 0 ? value.low + offset : offset - value.high;
  }
  template <class Range>
  ARMATURE_STEP double most(const Range& value) const {
    return sign > 0 ? value.high + offset : offset - value.low;
  }
};

// Not found, but ended: nothing happens before `from`, and nothing is known of what comes after.
struct StepPart {
  bool found = false;
  double from = 0, to = 0;
  bool ended = false;
};

template <class Ranges>
class ZeroCrossings {
 public:
  ARMATURE_STEP explicit ZeroCrossings(Ranges& ranges) : ranges_(ranges) {}

  // Moves the guards that may become negative between two times to the front, and returns how many they are. All of them where
  // there are no ranges.
  ARMATURE_STEP int keep_open(bool has_ranges, double from, double to, Guard* guards, int count) {
    has_ranges_ = has_ranges;
    if (!has_ranges) return count;
    ranges_.find(from, to);
    int open = 0;
    for (int i = 0; i < count; ++i)
      if (const auto& value = ranges_[guards[i].output].value; !(guards[i].least(value) >= 0)) {
        guards[open] = guards[i];
        guards[open].rest = larger(guards[i].rest, resting * (value.high - value.low));
        ++open;
      }
    return open;
  }

  // The first part at the end of which some guard is negative, though none is before. negative(t): whether there is one at t.
  template <class Negative>
  ARMATURE_STEP StepPart first(double from, double to, const Guard* guards, int count, const Negative& negative) {
    struct Open {
      double to;
      int depth;
    } open[fine + 2];  // what is left to look at, the earliest last
    looked_ = endless_ = 0;
    int last = 0;
    open[0] = {to, 0};
    while (last >= 0) {
      if (looked_ > most) return {false, from, to, true};
      const auto [end, depth] = open[last];
      const Found found = look(from, end, depth, guards, count);
      const double middle = 0.5 * (from + end);
      if (found == Found::unknown && middle > from && middle < end) {
        open[last].depth = depth + 1;
        open[++last] = {middle, depth + 1};
        continue;
      }
      endless_ = bounded_ ? 0 : endless_ + 1;
      if (found != Found::nothing && negative(end)) return {true, from, end};
      from = end;
      --last;
    }
    return {};
  }

 private:
  static constexpr int coarse = 5;                    // halvings where nothing else is known
  static constexpr int fine = 40;                     // halvings at most
  static constexpr int patience = 2000;               // parts looked at in a step before what rests is left at coarse
  static constexpr int most = 1000000;                // parts looked at in a step
  static constexpr int beside_pole = 4;               // shortest parts in a row without bounds: more are no pole
  static constexpr double resting = resolved(1e-12);  // of the range over the step
  enum class Found { nothing, at_most_one, unknown };

  ARMATURE_STEP Found look(double from, double to, int depth, const Guard* guards, int count) {
    bounded_ = true;
    if (!has_ranges_) return depth < coarse ? Found::unknown : Found::at_most_one;
    ranges_.find(from, to);
    ++looked_;
    Found found = Found::nothing;
    for (int i = 0; i < count; ++i) {
      const auto& function = ranges_[guards[i].output];
      if (guards[i].least(function.value) >= 0) continue;
      if (guards[i].most(function.value) <
          0) {  // negative everywhere: the sign at the end tells, however short the part
        found = Found::at_most_one;
        continue;
      }
      const bool monotonic = function.rate.low > 0 || function.rate.high < 0;
      const bool bounded = function.value.high - function.value.low < infinity;
      const bool rests = looked_ > patience && (absolute(guards[i].at(function.middle)) <= guards[i].rest ||
                                                is_round_off(function, to - from));
      bounded_ = bounded_ && bounded;
      const bool follow = bounded ? !rests : endless_ < beside_pole && looked_ <= patience;
      if (!monotonic && depth < (follow ? fine : coarse)) return Found::unknown;
      found = Found::at_most_one;
    }
    return found;
  }

  // The range is wider than its rate explains.
  template <class Enclosure>
  ARMATURE_STEP bool is_round_off(const Enclosure& function, double h) const {
    const double rate = larger(-function.rate.low, function.rate.high);
    return function.value.high - function.value.low > 4 * rate * h / ranges_.unit();
  }

  Ranges& ranges_;
  bool has_ranges_ = false;
  int looked_ = 0;
  bool bounded_ = true;  // the part looked at last
  int endless_ = 0;      // parts before it that were not halved any more, in a row without bounds
};

}  // namespace armature::step
