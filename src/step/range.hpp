// Ranges of numbers: what a function of numbers in some ranges can become. A range that cannot be bounded is everything.
//
// The ends are rounded to the nearest number, and functions err by an ulp or two: widened() moves both ends outward by more. A
// range of one number stays that number.
//
// Freestanding: events of the processor and of a card are located by the same bits. Functions, of numbers:
//   sin_cos(x, sine, cosine, n)   of n numbers each
//   exp(x), atan2(y, x)
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

struct Range {
  double low = 0, high = 0;

  static constexpr double round_off = 4 * epsilon;  // of an operation, or a function
  ARMATURE_STEP static Range point(double x) { return {x, x}; }
  ARMATURE_STEP static Range everything() { return {-infinity, infinity}; }
  ARMATURE_STEP bool contains(double x) const { return !(x < low) && !(x > high); }
  ARMATURE_STEP bool bounded() const { return high - low < infinity; }  // false for NaN, too
  ARMATURE_STEP double size() const { return larger(-low, high); }      // the largest |x|
};

ARMATURE_STEP Range operator+(Range a, Range b) { return {a.low + b.low, a.high + b.high}; }
ARMATURE_STEP Range operator-(Range a, Range b) { return {a.low - b.high, a.high - b.low}; }
ARMATURE_STEP Range operator-(Range a) { return {-a.high, -a.low}; }
ARMATURE_STEP Range operator*(Range a, Range b) {
  if (!a.bounded() || !b.bounded()) return Range::everything();  // 0 times infinity is no number
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return {smaller(smaller(p, q), smaller(r, s)), larger(larger(p, q), larger(r, s))};
}
ARMATURE_STEP Range operator/(Range a, Range b) {  // everything where b contains zero
  if (b.contains(0)) return Range::everything();
  return a * Range{1 / b.high, 1 / b.low};
}
ARMATURE_STEP Range widened(Range x) {
  if (x.low == x.high) return x;
  return {x.low - Range::round_off * absolute(x.low), x.high + Range::round_off * absolute(x.high)};
}
ARMATURE_STEP Range hull(Range a, Range b) { return {smaller(a.low, b.low), larger(a.high, b.high)}; }

ARMATURE_STEP Range square(Range x) {
  const double a = x.low * x.low, b = x.high * x.high;
  return {x.contains(0) ? 0 : smaller(a, b), larger(a, b)};
}
ARMATURE_STEP Range root(Range x) {
  return {square_root(larger(x.low, 0)), square_root(larger(x.high, 0))};
}  // of what is not negative

namespace ranges {

inline constexpr double pi = 0x1.921fb54442d18p+1;

// Whether offset + k period lies in x for some integer k.
ARMATURE_STEP bool meets(Range x, double offset, double period) {
  return rounded_down((x.high - offset) / period) >= -rounded_down(-((x.low - offset) / period));
}

}  // namespace ranges

// From the sines and cosines of both ends.
ARMATURE_STEP Range sine(Range x, double of_low, double of_high) {
  using namespace ranges;
  if (!x.bounded()) return {-1, 1};
  return {meets(x, -0.5 * pi, 2 * pi) ? -1 : smaller(of_low, of_high),
          meets(x, 0.5 * pi, 2 * pi) ? 1 : larger(of_low, of_high)};
}
ARMATURE_STEP Range cosine(Range x, double of_low, double of_high) {
  using namespace ranges;
  if (!x.bounded()) return {-1, 1};
  return {meets(x, pi, 2 * pi) ? -1 : smaller(of_low, of_high), meets(x, 0, 2 * pi) ? 1 : larger(of_low, of_high)};
}

// From -pi to pi where x < 0 and y changes its sign.
template <class Functions>
ARMATURE_STEP Range arc_tangent(Range y, Range x) {
  using namespace ranges;
  if ((x.contains(0) || x.low < 0) && y.contains(0)) return {-pi, pi};
  const double a = Functions::atan2(y.low, x.low), b = Functions::atan2(y.low, x.high);
  const double c = Functions::atan2(y.high, x.low), d = Functions::atan2(y.high, x.high);
  return {smaller(smaller(smaller(a, b), c), d), larger(larger(larger(a, b), c), d)};
}

}  // namespace armature::step
