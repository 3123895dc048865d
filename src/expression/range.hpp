// Ranges of numbers: what a function of numbers in some ranges can become. A range that cannot be bounded is everything.
//
// The ends are rounded to the nearest number, and functions err by an ulp or two: widened() moves both ends outward by more. A
// range of one number stays that number.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/graph.hpp"

namespace armature::internal {

struct Range {
  double low = 0, high = 0;

  static constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();  // of an operation, or a function
  static Range point(double x) { return {x, x}; }
  static Range everything() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {-infinite, infinite};
  }
  bool contains(double x) const { return !(x < low) && !(x > high); }
  bool bounded() const { return high - low < std::numeric_limits<double>::infinity(); }  // false for NaN, too
  double size() const { return std::max(-low, high); }                                   // the largest |x|
};

inline Range operator+(Range a, Range b) { return {a.low + b.low, a.high + b.high}; }
inline Range operator-(Range a, Range b) { return {a.low - b.high, a.high - b.low}; }
inline Range operator-(Range a) { return {-a.high, -a.low}; }
inline Range operator*(Range a, Range b) {
  if (!a.bounded() || !b.bounded()) return Range::everything();  // 0 times infinity is no number
  const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}
inline Range widened(Range x) {
  if (x.low == x.high) return x;
  return {x.low - Range::round_off * std::abs(x.low), x.high + Range::round_off * std::abs(x.high)};
}
inline Range hull(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Range operator/(Range a, Range b);  // everything where b contains zero

Range square(Range x);
Range root(Range x);  // of what is not negative
Range sine(Range x);
Range cosine(Range x);
Range tangent(Range x);
Range power(Range x, Range y);
Range arc_tangent(Range y, Range x);  // from -pi to pi where x < 0 and y changes its sign
Range of_table(const Table& table, int derivative, Range x);

}  // namespace armature::internal
