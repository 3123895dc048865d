// What a formula does between the samples of a part of a step. Ranges over any part of it, and of the rate (events/path_ranges.hpp), tell
// where samples say enough:
//
//   the top       parts whose range ends below the top that is known are left out; where the rate has one sign the top is an
//                 end; else both halves are searched, the one that may be higher first
//   the integral  Boole's rule, where the rate leaves little room beside its samples, and it differs little from Simpson's; else
//                 of both halves
//
// until nothing is left, or after `patience` parts. Freestanding, and without recursion: motions of the processor and of a card have
// the same bits.
//
// Ranges: as of step/zero_crossings.hpp, and unit(): of time, in which rates are measured.
#pragma once

#include "step/enclosure.hpp"
#include "study/gathered.hpp"

namespace armature::step {

template <class Ranges>
class SignalSearch {
 public:
  ARMATURE_STEP SignalSearch(Ranges& ranges, int output) : ranges_(ranges), output_(output) {}

  // f(t): the formula. Raises `top` to the largest sign * f between two times; where f is not a number, to that.
  template <class F>
  ARMATURE_STEP void raise(const F& f, double sign, double from, double to, PieceTop& top) {
    const auto look = [&](double t) {
      if (const double value = sign * f(t); value > top.value || value != value) top = {value, t};
    };
    Part open[deepest];  // what is left to look at, the next one last
    int last = 0;
    open[0] = bounded(sign, from, to);
    while (last >= 0 && top.value == top.value) {
      const Part part = open[last--];
      const double middle = 0.5 * (part.from + part.to);
      if (part.high <= top.value + exact * absolute(top.value) || !(middle > part.from && middle < part.to)) continue;
      if (part.rate.low > 0 || part.rate.high < 0) {
        look(part.rate.low > 0 ? part.to : part.from);
        continue;
      }
      look(middle);
      if (looked_ > patience || last + 2 >= deepest) continue;
      const Part left = bounded(sign, part.from, middle), right = bounded(sign, middle, part.to);
      const bool right_is_higher = right.high > left.high;
      open[++last] = right_is_higher ? left : right;
      open[++last] = right_is_higher ? right : left;
    }
  }

  // y: five samples at equal distances. size: integral of |f| so far, against which errors count.
  template <class F>
  ARMATURE_STEP double integral(const F& f, double from, double to, const double* y, double size) {
    Half open[deepest];  // parts whose halves are looked at, from the whole to the smallest
    int depth = 0;
    open[0] = {from, to, {y[0], y[1], y[2], y[3], y[4]}, size};
    for (;;) {
      // the rule, or else the left half
      Half& part = open[depth];
      const double h = part.to - part.from, middle = 0.5 * (part.from + part.to);
      part.size += h * absolute(boole(part.y));
      if (!(++looked_ > patience || depth + 1 == deepest || tells(part.from, part.to, part.y, part.size))) {
        const auto at = [&](int eighth) { return f(part.from + h * eighth / 8); };
        const double first = at(1), third = at(3);
        part.fifth = at(5), part.seventh = at(7), part.left_is_known = false;
        open[++depth] = {part.from, middle, {part.y[0], first, part.y[1], third, part.y[2]}, part.size};
        continue;
      }
      // with what is known beside it; then the right half of the smallest part that lacks it
      double value = h * boole(part.y);
      while (depth > 0 && open[depth - 1].left_is_known) value = open[--depth].left + value;
      if (depth == 0) return value;
      Half& whole = open[depth - 1];
      whole.left = value, whole.left_is_known = true;
      open[depth] = {0.5 * (whole.from + whole.to),
                     whole.to,
                     {whole.y[2], whole.fifth, whole.y[3], whole.seventh, whole.y[4]},
                     whole.size};
    }
  }

 private:
  static constexpr int deepest = 40;               // halvings
  static constexpr int patience = 2000;            // parts
  static constexpr double exact = resolved(1e-9);  // of the top
  static constexpr double smooth =
      resolved(1e-6);  // difference of both rules, of the integral; Boole's own error is far smaller
  static constexpr double hidden = resolved(1e-7);  // what samples may not show, of the integral

  struct Part {
    double from, to, high;  // high: no value in it is larger
    Range rate;
  };
  struct Half {
    double from, to, y[piece_samples], size;
    double fifth = 0, seventh = 0;  // samples at these eighths
    double left = 0;                // integral of the left half
    bool left_is_known = false;
  };

  ARMATURE_STEP static double simpson(const double* y) { return (y[0] + y[4] + 4 * (y[1] + y[3]) + 2 * y[2]) / 12; }

  ARMATURE_STEP Part bounded(double sign, double from, double to) {
    ++looked_;
    ranges_.find(from, to);
    const Enclosure& y = ranges_[output_];
    return sign > 0 ? Part{from, to, y.value.high, y.rate} : Part{from, to, -y.value.low, -y.rate};
  }

  // Around a top that is resolved the rate, over the whole part, leads four times as far as its samples lie apart.
  ARMATURE_STEP bool tells(double from, double to, const double* y, double size) {
    const double h = to - from;
    if (!(h * absolute(boole(y) - simpson(y)) <= smooth * size)) return false;
    const Range rate = bounded(1, from, to).rate;
    if (rate.low > 0 || rate.high < 0) return true;
    double least = y[0], most = y[0];
    for (int j = 1; j < piece_samples; ++j) least = smaller(least, y[j]), most = larger(most, y[j]);
    const double way = rate.size() * h / ranges_.unit();
    return h * (way - 8 * (most - least)) <= hidden * size;
  }

  Ranges& ranges_;
  int output_;
  int looked_ = 0;
};

}  // namespace armature::step
