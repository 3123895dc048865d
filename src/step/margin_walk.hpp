// Where a function becomes negative that takes a solve at every point: how far a weight is from the end of its range, or what a contact
// presses. Nothing that sticks or rests moves, so that steps may grow beyond any load that changes with time alone. The function is
// followed at a pace of its own: twice as long where it hardly moves towards zero, half as long where it does.
#pragma once

#include "step/called.hpp"
#include "step/zero_search.hpp"

namespace armature::step {

// On a step's dense output; the time returned lies just behind the zero. A margin that is exactly zero where the step begins may stay so for a
// while, as that of two formulas that are equal; it is behind its zero where it is negative.
template <class Margin>
ARMATURE_CALLED double time_behind_zero(const Margin& margin, SearchPoint before, SearchPoint after) {
  const bool just_left = !(before.value > 0);  // the outcome was set there
  const bool is_flat = before.value == 0;
  const auto on_its_side = [&](double t) {
    const double value = margin(t);
    return is_flat && value == 0 ? smallest_normal : value;
  };
  const ZeroBracket zero = bracket_zero(on_its_side, before, after, just_left);
  return zero.recent.value <= 0 ? zero.recent.t : zero.other.t;
}

struct MarginWalk {
  struct Number {
    bool known = false;
    double value = 0;
  };
  Number before, last;  // at the beginning and the end of the last step
  double pace = 0;      // s; 0: not known yet

  ARMATURE_STEP void forget() { before = last = {}; }

  // Whether a step passes without a look inside. One that is at most half as long as the pace has ends as close to each other as the points
  // that are looked at elsewhere; of three of these in a row the rule is that of between().
  ARMATURE_STEP bool passes(double t0, double t1, double end) {
    if (!before.known || !last.known || pace < 2 * (t1 - t0)) return false;
    const double moved = absolute(end - last.value), stray = 2 * (absolute(last.value - before.value) + moved);
    const double least = smaller(smaller(before.value, last.value), end);
    if (!(least > stray)) return false;
    pace = smaller(moved < 0.1 * least ? 2 * pace : pace, 4 * (t1 - t0));
    take_end(end);
    return true;
  }
  ARMATURE_STEP void take_end(double end) { before = last, last = {true, end}; }

  // The first zero up to `until` in a step from t0 to t1. middle: in the middle of the step, where it is known.
  template <class Margin>
  ARMATURE_STEP EventTime find(double t0, double t1, double until, Number middle, const Margin& margin) {
    // the pace: as after the last step, or an eighth of this one
    constexpr int first_parts = 8, most_parts = 16;
    if (pace == 0) pace = (t1 - t0) / first_parts;
    const double shortest = (t1 - t0) / most_parts;  // a margin near zero would halve the pace for ever
    pace = larger(pace, shortest);
    // from point to point; the pace follows how far the margin moves against what is left of it
    SearchPoint from{t0, last.known ? last.value : margin(t0)};
    while (from.t < until) {
      const double t = from.t + 1.5 * pace < until ? from.t + pace : until;
      const bool whole = from.t == t0 && t == t1;
      const SearchPoint to{t, margin(t)};
      if (const EventTime zero = this->template between<0>(margin, from, to, whole ? middle : Number()); zero.found)
        return zero;
      const double moved = absolute(to.value - from.value), least = smaller(from.value, to.value);
      if (t < until || whole) pace = larger(shortest, pace * (moved < 0.1 * least ? 2 : moved > 0.3 * least ? 0.5 : 1));
      from = to;
    }
    return {};
  }

 private:
  // Between three points of it the margin strays from them by less than it moves from point to point; where it may come to zero,
  // both halves are looked at. One function a depth: device code has no recursion.
  template <int depth, class Margin>
  ARMATURE_CALLED EventTime between(const Margin& margin, SearchPoint from, SearchPoint to, Number middle) {
    constexpr int deepest = 4;
    const double t = 0.5 * (from.t + to.t);
    const SearchPoint half{t, middle.known ? middle.value : margin(t)};
    const double stray = 2 * (absolute(half.value - from.value) + absolute(to.value - half.value));
    if (smaller(smaller(from.value, half.value), to.value) > stray) return {};
    if constexpr (depth < deepest) {
      const EventTime zero = between<depth + 1>(margin, from, half, {});
      return zero.found ? zero : between<depth + 1>(margin, half, to, {});
    }
    if (half.value < 0) return {true, time_behind_zero(margin, from, half)};
    return to.value < 0 ? EventTime{true, time_behind_zero(margin, half, to)} : EventTime();
  }
};

}  // namespace armature::step
