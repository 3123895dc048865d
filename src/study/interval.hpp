// What is known of a number or of a condition before a motion has ended: bounds, and a third outcome; and what follows from these.
// Freestanding: motions of the processor and of a card are decided by the same bits.
#pragma once

#include "step/scalar.hpp"

namespace armature::step::bounds {

struct Interval {
  double least = -infinity;
  double most = infinity;
  ARMATURE_STEP static Interval point(double x) { return {x, x}; }
};

enum class Truth { no, yes, open };

ARMATURE_STEP Interval hull(double a, double b, double c, double d) {
  if (a != a || b != b || c != c || d != d) return {};
  return {smaller(smaller(smaller(a, b), c), d), larger(larger(larger(a, b), c), d)};
}

ARMATURE_STEP Interval negated(const Interval& a) { return {-a.most, -a.least}; }
ARMATURE_STEP Interval sum(const Interval& a, const Interval& b) { return {a.least + b.least, a.most + b.most}; }
ARMATURE_STEP Interval difference(const Interval& a, const Interval& b) { return {a.least - b.most, a.most - b.least}; }
ARMATURE_STEP Interval product(const Interval& a, const Interval& b) {
  return hull(a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most);
}
ARMATURE_STEP Interval quotient(const Interval& a, const Interval& b) {
  if (b.least <= 0 && b.most >= 0) return {};
  return product(a, {1 / b.most, 1 / b.least});
}
ARMATURE_STEP Interval size(const Interval& a) {
  const double most = larger(absolute(a.least), absolute(a.most));
  return {a.least > 0 ? a.least : a.most < 0 ? -a.most : 0, most};
}

ARMATURE_STEP Truth negation(Truth a) { return a == Truth::open ? a : a == Truth::yes ? Truth::no : Truth::yes; }
ARMATURE_STEP Truth both(Truth a, Truth b) {
  if (a == Truth::no || b == Truth::no) return Truth::no;
  return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::open;
}
ARMATURE_STEP Truth either(Truth a, Truth b) { return negation(both(negation(a), negation(b))); }
// a > b; else a >= b
ARMATURE_STEP Truth greater(const Interval& a, const Interval& b, bool strictly) {
  if (strictly ? a.least > b.most : a.least >= b.most) return Truth::yes;
  if (strictly ? a.most <= b.least : a.most < b.least) return Truth::no;
  return Truth::open;
}

}  // namespace armature::step::bounds

namespace armature::internal {

using step::bounds::Interval;
using step::bounds::Truth;

}  // namespace armature::internal
