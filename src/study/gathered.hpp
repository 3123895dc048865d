// What is known of a formula over a motion (motion_formula.hpp) while the motion goes on, and what its functionals make of it at the
// end. A motion comes piece by piece, each with five samples: extremes between them are sought, integrals taken by Boole's rule.
// Freestanding: motions of the processor and of a card gather the same bits.
//
// A formula that is not a number anywhere on the way (the root of what became negative) has no largest value, no mean and no first
// time: functionals of the whole way are not numbers then, and `undefined` says since when.
//
// Path, the piece of the motion that was computed last:
//   const double* observe(t)                         the formulas at a time of it
//   const double* observe_on_constraints(t)          the same at the state that is returned to its constraints
//   void raise(functional, sign, from, to, top, searched)      a search of its own for the largest sign * y: raises `top`
//   double integral(functional, from, to, y, searched)         of the samples y
#pragma once

#include "step/called.hpp"
#include "step/minimum_search.hpp"

namespace armature::step {

enum class FunctionalKind { initial, final, at, max, min, mean, integral, turns, first, last };

struct Measured {
  FunctionalKind kind = FunctionalKind::final;
  int observed = 0;                        // which formula of the moment
  double time = 0;                         // s, of `at`
  double from = -infinity, to = infinity;  // s: the window that is looked at
  ARMATURE_STEP bool has_window() const { return to < infinity; }
  // Only ends of pieces are looked at.
  ARMATURE_STEP bool looks_at_ends() const {
    return kind == FunctionalKind::initial || kind == FunctionalKind::final || kind == FunctionalKind::at;
  }
};

inline constexpr int piece_samples = 5;

ARMATURE_STEP bool is_number(double x) { return x == x; }
ARMATURE_STEP double no_number() { return number_of(0x7ff8000000000000LL); }

// Boole's rule over a piece of length 1.
ARMATURE_STEP double boole(const double* y) { return (7 * (y[0] + y[4]) + 32 * (y[1] + y[3]) + 12 * y[2]) / 90; }

ARMATURE_STEP void sample_times(double from, double to, double* t) {
  constexpr int last = piece_samples - 1;
  for (int j = 0; j < piece_samples; ++j) t[j] = j == last ? to : from + (to - from) * j / last;
}

// What searches of a signal between its samples have come to, over the motion so far. What they had to leave open is a doubt.
struct Searched {
  static constexpr double harmless = resolved(5e-7);  // doubt, of the signal's size

  double share = 1;            // of the tolerance: a repetition that shows the errors of integrals takes less
  double begin = 0, size = 0;  // of the integral: since when; of |y|
  double reach = 0;            // largest |y|
  double parts = 0;            // looked at, beside those that belong to each piece
  double doubt = 0;            // what the integral may be off by
  double most = -infinity, least = infinity;  // what extremes can be where they are not known
  double doubtful = infinity;                 // since when

  ARMATURE_STEP double mean_size(double t) const { return t > begin ? size / (t - begin) : 0; }
  ARMATURE_STEP void doubt_integral(double by, double t) { doubt += by, doubtful = smaller(doubtful, t); }
  ARMATURE_STEP void doubt_top(double sign, double high, double t) {
    (sign > 0 ? most : least) = sign > 0 ? larger(most, high) : smaller(least, -high);
    doubtful = smaller(doubtful, t);
  }
  ARMATURE_STEP bool knows_integral() const { return doubt <= harmless * size; }
  ARMATURE_STEP bool knows_largest(double y) const { return most <= y + harmless * reach; }
  ARMATURE_STEP bool knows_smallest(double y) const { return least >= y - harmless * reach; }
};

struct Gathered {
  double initial, last, largest, smallest, integral, first, final_time, at;
  double t_largest, t_smallest;  // when the extremes were met
  bool begun = true;             // the motion has come to its window
  double undefined = infinity;   // when a functional of the whole way met what is not a number
  Searched searched = {};

  ARMATURE_STEP void begin(const Measured& f, double t, double y) {
    *this = {y, y, y, y, 0, y >= 0.5 ? t : infinity, larger(f.from, t), f.time <= t ? y : infinity, t, t};
    if (f.from > t) first = infinity, begun = false;
    searched.begin = t, searched.reach = absolute(y);
    if (begun && !f.looks_at_ends() && !is_number(y)) undefined = t;
  }

  // What the functional can still become, while the motion goes on; it is at t, and comes to its end there at most.
  ARMATURE_STEP void bounds(const Measured& f, double t, double t_start, double end, double& least,
                            double& most) const {
    least = -infinity, most = infinity;
    if (undefined < infinity) return;
    if (f.has_window() && t >= f.to) {
      least = most = value(f, t, t_start);
      return;
    }
    if (!begun) return;
    switch (f.kind) {
      case FunctionalKind::initial:
        if (is_number(initial)) least = most = initial;
        return;
      case FunctionalKind::max: least = largest; return;
      case FunctionalKind::min: most = smallest; return;
      case FunctionalKind::turns: least = turned(); return;
      case FunctionalKind::at:
        if (f.time <= t && is_number(at)) least = most = at;
        return;
      case FunctionalKind::first:
        least = first < infinity ? first : t;
        if (first < infinity) most = first;
        return;
      case FunctionalKind::last: least = final_time, most = smaller(f.to, end); return;
      default: return;
    }
  }

  // What it is where the motion ends at t.
  ARMATURE_STEP double value(const Measured& f, double t, double t_start) const {
    if (undefined < infinity || !is_resolved(f)) return no_number();
    switch (f.kind) {
      case FunctionalKind::initial: return initial;
      case FunctionalKind::final: return last;
      case FunctionalKind::at: return at;
      case FunctionalKind::max: return largest;
      case FunctionalKind::min: return smallest;
      case FunctionalKind::mean: return integral / (smaller(f.to, t) - larger(f.from, t_start));
      case FunctionalKind::integral: return integral;
      case FunctionalKind::turns: return turned();
      case FunctionalKind::first: return first;
      case FunctionalKind::last: return final_time;
    }
    return infinity;
  }

  // Searches left nothing open that matters.
  ARMATURE_STEP bool is_resolved(const Measured& f) const {
    switch (f.kind) {
      case FunctionalKind::max: return searched.knows_largest(largest);
      case FunctionalKind::min: return searched.knows_smallest(smallest);
      case FunctionalKind::turns: return searched.knows_largest(largest) && searched.knows_smallest(smallest);
      case FunctionalKind::mean:
      case FunctionalKind::integral: return searched.knows_integral();
      default: return true;
    }
  }

 private:
  ARMATURE_STEP double turned() const {
    constexpr double pi = 0x1.921fb54442d18p+1;
    return larger(largest - initial, initial - smallest) / (2 * pi);
  }
};

struct PieceTop {
  double value, t;  // a value that is not a number: the formula is none at t
};

// Of one piece: `count` formulas at its samples, one time after the other.
template <class Path>
class Gathering {
 public:
  // room: as many numbers as the samples have, for those inside of windows.
  ARMATURE_STEP Gathering(Path& path, int count, double* room) : path_(path), count_(count), room_(room) {}

  // Of a piece that a window cuts, the part inside it is sampled by itself.
  //
  // A function that stays one, like the other two that have arrays. NVRTC 13.0 gives `inside` the memory of the caller's `t`, which is not needed
  // any more by then; but inlined, it holds t[0] to be undefined from the begin of this function on, and leaves out the comparison with it.
  ARMATURE_CALLED void take(const Measured& f, Gathered& known, const double* t, const double* y) {
    constexpr int last = piece_samples - 1;
    const double from = larger(f.from, t[0]), to = smaller(f.to, t[last]);
    if (!(from < to) || known.undefined < infinity) return;
    if (from == t[0] && to == t[last] && known.begun) return gather(f, known, t, y);
    double inside[piece_samples];
    sample_times(from, to, inside);
    for (int j = 0; j < piece_samples; ++j) {
      const double* here = path_.observe(inside[j]);
      for (int i = 0; i < count_; ++i) room_[j * count_ + i] = here[i];
    }
    if (!known.begun) {
      const double here = room_[f.observed];
      known = {here, here, here, here, 0, here >= 0.5 ? from : infinity, from, infinity, from, from};
      known.searched.begin = from;
    }
    gather(f, known, inside, room_);
  }

 private:
  static constexpr double near_top =
      resolved(1e-8);  // of the time between samples: the error of a top is of second order

  ARMATURE_CALLED void gather(const Measured& f, Gathered& known, const double* t, const double* y) {
    using enum FunctionalKind;
    double samples[piece_samples];
    for (int j = 0; j < piece_samples; ++j) samples[j] = y[j * count_ + f.observed];
    known.last = samples[piece_samples - 1];
    if (!f.looks_at_ends())
      for (int j = 0; j < piece_samples; ++j) {
        known.searched.reach = larger(known.searched.reach, absolute(samples[j]));
        if (!is_number(samples[j])) {
          known.undefined = t[j];
          return;
        }
      }
    if (f.kind == max || f.kind == turns) {
      const PieceTop top = peak(f, t, samples, 1, {known.largest, known.t_largest}, known.searched);
      known.largest = top.value, known.t_largest = top.t;
      if (!is_number(top.value)) known.undefined = top.t;
    }
    if (f.kind == min || f.kind == turns) {
      const PieceTop top = peak(f, t, samples, -1, {-known.smallest, known.t_smallest}, known.searched);
      known.smallest = -top.value, known.t_smallest = top.t;
      if (!is_number(top.value)) known.undefined = top.t;
    }
    if (f.kind == integral || f.kind == mean) {
      const double part = path_.integral(f, t[0], t[piece_samples - 1], samples, known.searched);
      known.integral += part;
      if (!is_number(part)) known.undefined = t[0];
    }
    if (f.kind == first || f.kind == FunctionalKind::last)
      for (int j = 0; j < piece_samples; ++j) {
        if (samples[j] < 0.5) continue;
        known.first = smaller(known.first, t[j]);
        known.final_time = t[j];
      }
    if (f.kind == at && f.time > t[0] && f.time <= t[piece_samples - 1])
      known.at = path_.observe_on_constraints(f.time)[f.observed];
  }

  // The largest sign * y of the piece and its time, if it is more than `top`; all samples are numbers. Where a parabola through three samples has its top inside
  // an interval, and above all that is known, the top is sought.
  ARMATURE_CALLED PieceTop peak(const Measured& f, const double* t, const double* samples, double sign, PieceTop top,
                                Searched& searched) {
    double y[piece_samples];
    for (int j = 0; j < piece_samples; ++j) {
      y[j] = sign * samples[j];
      if (y[j] > top.value) top = {y[j], t[j]};
    }
    const double h = (t[piece_samples - 1] - t[0]) / (piece_samples - 1);
    for (int j = 1; j + 1 < piece_samples; ++j) {
      const double slope = 0.5 * (y[j + 1] - y[j - 1]), curvature = y[j + 1] - 2 * y[j] + y[j - 1];
      const double place = -slope / curvature;  // in intervals from sample j
      if (!(curvature < 0) || !(absolute(place) < 1) || !(y[j] - 0.5 * slope * slope / curvature > top.value)) continue;
      const auto below = [&](double at) { return -sign * path_.observe(at)[f.observed]; };
      const double at = t[j] + place * h, value = sign * path_.observe(at)[f.observed];
      if (!is_number(value)) return {value, at};
      if (value <= top.value) continue;
      const SearchPoint found =
          MinimumSearch{.closeness = near_top}(below, t[j - 1], t[j + 1], SearchPoint{at, -value});
      top = {-found.value, found.t};
    }
    path_.raise(f, sign, t[0], t[piece_samples - 1], top, searched);
    return top;
  }

  Path& path_;
  int count_;
  double* room_;
};

}  // namespace armature::step
