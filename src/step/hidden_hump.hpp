// Whether a step hides a hump of a table that the motion depends on (system/table_stops.hpp), and where it ends when it is taken again.
#pragma once

#include "step/minimum_search.hpp"
#include "step/step_control.hpp"

namespace armature::step {

// A table at a moment: its value y and variation V, as parts of its range, its argument x, and the rate of x; zero where that is not known.
struct Lookup {
  static constexpr int numbers = 4;
  double y, V, x, rate;
  ARMATURE_STEP static Lookup of(const double* numbers) { return {numbers[0], numbers[1], numbers[2], numbers[3]}; }
};

// Of the way that a table's value goes a tenth may be hidden: a step that ends at a turn goes a little beyond it. A hump below 1e-4 of the range
// is left to the error estimate.
ARMATURE_STEP bool is_hidden(double way, double change) {
  constexpr double share = 0.1, least_hump = 1e-4;
  return way - change > larger(share * way, 2 * least_hump);
}

// Where x turns between two moments; infinite: it does not. A parabola through both and their middle says which.
template <class F>
ARMATURE_STEP double turn_between(const F& x, SearchPoint a, SearchPoint middle, SearchPoint b) {
  const double bend = a.value - 2 * middle.value + b.value;
  if (!(absolute(a.value - b.value) < 2 * absolute(bend))) return infinity;
  const double vertex = middle.t + (b.t - a.t) / 4 * (a.value - b.value) / bend;
  const auto height = [&](double t) { return bend > 0 ? x(t) : -x(t); };
  constexpr double near_turn = 1e-4;  // x, which is flat there, is known to 1e-8
  MinimumSearch search;
  search.closeness = near_turn;
  return search(height, a.t, b.t, {vertex, height(vertex)}).t;
}

// Tables where a step begins and, as functions of time, within it. Look: t -> Lookup::numbers of each.
template <class Look>
class HumpSearch {
 public:
  ARMATURE_STEP HumpSearch(int count, const double* begin, double t0, double t1, const Look& look)
      : count_(count), begin_(begin), t0_(t0), t1_(t1), look_(look) {}

  // The moment up to which the step shows its tables; infinite: it hides nothing. Up to a turn of x there is nothing to turn back from; any other
  // step, and one that is taken again already, is halved.
  ARMATURE_STEP double nearer_end(bool again) const {
    for (int i = 0; i < count_; i += Lookup::numbers)
      if (const double end = nearer_end_of(i); end < infinity) return again ? half() : end;
    return infinity;
  }

 private:
  ARMATURE_STEP double half() const { return t0_ + (t1_ - t0_) / 2; }
  ARMATURE_STEP Lookup at(double t, int i) const { return Lookup::of(look_(t) + i); }

  ARMATURE_STEP double nearer_end_of(int i) const {
    const Lookup begin = Lookup::of(begin_ + i), end = at(t1_, i);
    if (is_hidden(absolute(end.V - begin.V), absolute(end.y - begin.y))) return half();
    return begin.rate * end.rate > 0 ? infinity : nearer_end_of(i, begin, end);
  }
  // x may turn.
  ARMATURE_STEP double nearer_end_of(int i, const Lookup& begin, const Lookup& end) const {
    const auto x = [&](double t) { return at(t, i).x; };
    const double before = t0_ + (t1_ - t0_) / 4, after = t1_ - (t1_ - t0_) / 4;
    const Lookup middle = at(half(), i);
    const double first = turn_between(x, {t0_, begin.x}, {before, x(before)}, {half(), middle.x});
    const double second = turn_between(x, {half(), middle.x}, {after, x(after)}, {t1_, end.x});
    double way = 0, V = begin.V;
    const auto go_to = [&](double next) { way += absolute(next - V), V = next; };
    if (first < infinity) go_to(at(first, i).V);
    go_to(middle.V);
    if (second < infinity) go_to(at(second, i).V);
    go_to(end.V);
    if (!is_hidden(way, absolute(end.y - begin.y))) return infinity;
    const double turn = smaller(first, second);
    return turn < infinity ? turn : half();
  }

  int count_;
  const double* begin_;
  double t0_, t1_;
  const Look& look_;
};

// As stop_beyond: infinite also where time allows no shorter step.
template <class Look>
ARMATURE_STEP double end_before_hump(int count, const double* begin, double t0, double t1, bool again,
                                     const Look& look) {
  return stop_beyond(t0, HumpSearch<Look>(count, begin, t0, t1, look).nearer_end(again));
}

}  // namespace armature::step
