// What a value can be while time passes: from ranges of some values, and of their rates, over a span of time, those of what is computed
// from them. Automatic differentiation along time, in arithmetic of ranges: every operation gives its value in the middle of the
// span, the range of its values and the range of its rates, and what it can be lies also in
//
//   value in the middle +- half the span * largest |rate|,
//
// which is tight where differences of large numbers are not. (Moore, Methods and Applications of Interval Analysis, 1979.)
#pragma once

#include "step/range.hpp"

namespace armature::step {

struct Enclosure {
  double middle = 0;  // value in the middle of the span
  Range value, rate;  // rate: by the unit in which spans are measured

  ARMATURE_STEP static Enclosure point(double x) { return {x, Range::point(x), {}}; }
};

// ---- operations

ARMATURE_STEP Enclosure sum(const Enclosure& a, const Enclosure& b) {
  return {a.middle + b.middle, a.value + b.value, a.rate + b.rate};
}
ARMATURE_STEP Enclosure difference(const Enclosure& a, const Enclosure& b) {
  return {a.middle - b.middle, a.value - b.value, a.rate - b.rate};
}
ARMATURE_STEP Enclosure product(const Enclosure& a, const Enclosure& b) {
  return {a.middle * b.middle, a.value * b.value, a.rate * b.value + a.value * b.rate};
}
ARMATURE_STEP Enclosure squared(const Enclosure& a) {
  return {a.middle * a.middle, square(a.value), Range::point(2) * a.value * a.rate};
}
ARMATURE_STEP Enclosure quotient(const Enclosure& a, const Enclosure& b) {
  const Range value = a.value / b.value;
  return {a.middle / b.middle, value, (a.rate - value * b.rate) / b.value};
}
ARMATURE_STEP Enclosure negated(const Enclosure& a) { return {-a.middle, -a.value, -a.rate}; }
ARMATURE_STEP Enclosure rooted(const Enclosure& a) {
  const Range value = root(a.value), rate = a.rate / value;
  return {square_root(a.middle), value, {0.5 * rate.low, 0.5 * rate.high}};
}

// The bound is met within round-off only, or moves with the value.
ARMATURE_STEP Enclosure kept_above(const Enclosure& x, const Enclosure& bound) {
  const auto pick = [](double a, double b) { return a > b ? a : b; };
  return {
      pick(x.middle, bound.middle), {pick(x.value.low, bound.value.low), pick(x.value.high, bound.value.high)}, x.rate};
}
ARMATURE_STEP Enclosure kept_below(const Enclosure& x, const Enclosure& bound) {
  const auto pick = [](double a, double b) { return a < b ? a : b; };
  return {
      pick(x.middle, bound.middle), {pick(x.value.low, bound.value.low), pick(x.value.high, bound.value.high)}, x.rate};
}

// Weights are numbers while outcomes are held, as a rule.
ARMATURE_STEP Enclosure choice(const Enclosure& w, const Enclosure& a, const Enclosure& b) {
  if (w.value.low == 1 && w.value.high == 1) return a;
  if (w.value.low == 0 && w.value.high == 0) return b;
  const Enclosure rest{1 - w.middle, Range::point(1) - w.value, -w.rate};
  return sum(product(w, a), product(rest, b));
}

// Sine and cosine of both ends and of the middle.
template <class Functions>
struct EnclosedTurns {
  double sine[3], cosine[3];
  ARMATURE_STEP explicit EnclosedTurns(const Enclosure& x) {
    const double at[3] = {x.value.low, x.value.high, x.middle};
    Functions::sin_cos(at, sine, cosine, 3);
  }
};
template <class Functions>
ARMATURE_STEP Enclosure sine(const Enclosure& x) {
  const EnclosedTurns<Functions> of(x);
  return {of.sine[2], sine(x.value, of.sine[0], of.sine[1]), cosine(x.value, of.cosine[0], of.cosine[1]) * x.rate};
}
template <class Functions>
ARMATURE_STEP Enclosure cosine(const Enclosure& x) {
  const EnclosedTurns<Functions> of(x);
  return {of.cosine[2], cosine(x.value, of.cosine[0], of.cosine[1]), -(sine(x.value, of.sine[0], of.sine[1]) * x.rate)};
}
template <class Functions>
ARMATURE_STEP Enclosure exponential(const Enclosure& x) {
  const Range value = {Functions::exp(x.value.low), Functions::exp(x.value.high)};
  return {Functions::exp(x.middle), value, value * x.rate};
}
// Beyond its cut the angle jumps, and has no rate.
template <class Functions>
ARMATURE_STEP Enclosure arc_tangent(const Enclosure& y, const Enclosure& x) {
  const bool jumps = x.value.low < 0 && y.value.contains(0);
  const Range rate = (x.value * y.rate - y.value * x.rate) / (square(x.value) + square(y.value));
  return {Functions::atan2(y.middle, x.middle), arc_tangent<Functions>(y.value, x.value),
          jumps ? Range::everything() : rate};
}

// The result of an operation, within what its rate allows. The value in the middle is computed, like every other, from operands that
// are rounded: it may lie beside the exact one by their round-off, also where they cancel. operands: the sum of their sizes.
ARMATURE_STEP Enclosure closed(Enclosure result, double half_span, double operands) {
  const double reach = half_span * result.rate.size() + Range::round_off * operands;
  if (result.middle - reach > result.value.low) result.value.low = result.middle - reach;
  if (result.middle + reach < result.value.high) result.value.high = result.middle + reach;
  return {result.middle, widened(result.value), widened(result.rate)};
}

// ---- polynomials  x = sum of p_k u^k,  k <= order

// The same polynomial of u - by.
ARMATURE_STEP void shift_polynomial(double* p, int order, double by) {
  for (int i = 0; i < order; ++i)
    for (int k = order - 1; k >= i; --k) p[k] += by * p[k + 1];
}

// Over |u| <= r:  x in p_0 +- sum_k |p_k| r^k,  dx/du in p_1 +- sum_k k |p_k| r^(k-1).
ARMATURE_STEP Enclosure enclosed_polynomial(const double* p, int order, double r) {
  double reach = 0, rate_reach = 0;
  for (int k = order; k > 0; --k) {
    reach = r * (reach + absolute(p[k]));
    if (k > 1) rate_reach = r * (rate_reach + k * absolute(p[k]));
  }
  return {p[0], {p[0] - reach, p[0] + reach}, {p[1] - rate_reach, p[1] + rate_reach}};
}

}  // namespace armature::step
