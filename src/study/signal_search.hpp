// What a formula does between the samples of a part of a step. Ranges over any part of it, and of the rate (path_ranges.hpp), tell
// where samples say enough:
//
//   the top       parts whose range ends below the top that is known are left out; where the rate has one sign the top is an
//                 end; else both halves are searched, the one that may be higher first
//   the integral  Boole's rule, where the rate leaves little room beside its samples, and it differs little from Simpson's; else
//                 of both halves
//
// until nothing is left, or after `patience` parts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "events/path_ranges.hpp"
#include "study/gathered.hpp"

namespace armature::internal {

class SignalSearch {
 public:
  SignalSearch(PathRanges& ranges, int output) : ranges_(ranges), output_(output) {}

  struct Top {
    double value, t;
  };
  // f(t): the formula. Raises `top` to the largest sign * f between two times; where f is not a number, to that.
  template <class F>
  void raise(const F& f, double sign, double from, double to, Top& top);

  static constexpr int samples = 5;
  using Samples = std::array<double, samples>;  // at equal distances
  // size: integral of |f| so far, against which errors count.
  template <class F>
  double integral(const F& f, double from, double to, const Samples& y, double size);

  static double boole(const Samples& y) { return step::boole(y.data()); }

 private:
  static constexpr int patience = 2000;   // parts
  static constexpr double exact = 1e-9;   // of the top
  static constexpr double smooth = 1e-6;  // difference of both rules, of the integral; Boole's own error is far smaller
  static constexpr double hidden = 1e-7;  // what samples may not show, of the integral

  static double simpson(const Samples& y) { return (y[0] + y[4] + 4 * (y[1] + y[3]) + 2 * y[2]) / 12; }
  struct Part {
    double from, to, high;  // high: no value in it is larger
    Range rate;
  };
  Part bounded(double sign, double from, double to);
  template <class F>
  void raise_in(const F& f, double sign, const Part& part, Top& top);
  bool tells(double from, double to, const Samples& y, double size);

  PathRanges& ranges_;
  int output_;
  int looked_ = 0;
};

template <class F>
void SignalSearch::raise(const F& f, double sign, double from, double to, Top& top) {
  raise_in(f, sign, bounded(sign, from, to), top);
}

template <class F>
void SignalSearch::raise_in(const F& f, double sign, const Part& part, Top& top) {
  const double middle = 0.5 * (part.from + part.to);
  if (std::isnan(top.value)) return;
  if (part.high <= top.value + exact * std::abs(top.value) || !(middle > part.from && middle < part.to)) return;
  const auto look = [&](double t) {
    if (const double value = sign * f(t); value > top.value || std::isnan(value)) top = {value, t};
  };
  if (part.rate.low > 0) return look(part.to);
  if (part.rate.high < 0) return look(part.from);
  look(middle);
  if (looked_ > patience) return;
  Part better = bounded(sign, part.from, middle), other = bounded(sign, middle, part.to);
  if (other.high > better.high) std::swap(better, other);
  raise_in(f, sign, better, top);
  raise_in(f, sign, other, top);
}

template <class F>
double SignalSearch::integral(const F& f, double from, double to, const Samples& y, double size) {
  const double h = to - from;
  size += h * std::abs(boole(y));
  if (++looked_ > patience || tells(from, to, y, size)) return h * boole(y);
  const auto at = [&](int eighth) { return f(from + h * eighth / 8); };
  const Samples left{y[0], at(1), y[1], at(3), y[2]}, right{y[2], at(5), y[3], at(7), y[4]};
  const double middle = 0.5 * (from + to), first = integral(f, from, middle, left, size);
  return first + integral(f, middle, to, right, size);
}

}  // namespace armature::internal
