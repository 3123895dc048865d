// The zero of a function between two times, by inverse quadratic interpolation where it can be trusted, else by bisection
// (Chandrupatla, Adv. Eng. Software 28, 1997).
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

struct SearchPoint {
  double t, value;
};

struct EventTime {
  bool found = false;
  double t = 0;
};

// Recent is the last point, other the one beyond the zero, older the one before. The zero of the parabola t(value) through all
// three, as a part of the way from recent to other; 1/2 where value(t) may turn back between them.
ARMATURE_STEP double zero_part(const SearchPoint& recent, const SearchPoint& other, const SearchPoint& older) {
  const double f1 = recent.value, f2 = other.value, f3 = older.value;
  const double xi = (recent.t - other.t) / (older.t - other.t), phi = (f1 - f2) / (f3 - f2);
  if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi)) return 0.5;
  const double span = (older.t - recent.t) / (other.t - recent.t);
  return f1 / (f2 - f1) * f3 / (f2 - f3) + span * f1 / (f3 - f1) * f2 / (f3 - f2);
}

// Two points on both sides of the zero, as close as times can be; or one upon it, first.
struct ZeroBracket {
  SearchPoint recent, other;
};

// just_left: the function has left its zero at the beginning, and may be zero again at once or soon.
template <class F>
ARMATURE_STEP ZeroBracket bracket_zero(const F& f, const SearchPoint& before, const SearchPoint& after,
                                       bool just_left = false) {
  constexpr double near_end = 0.999;
  constexpr double closest = 2e-16;  // of the time
  SearchPoint recent = after, other = before, older = before;
  const double chord = after.value / (after.value - before.value);    // no number beside a pole
  double part = just_left ? near_end : chord == chord ? chord : 0.5;  // of the way from recent to other
  for (int pass = 0; pass < 100 && recent.value != 0; ++pass) {
    const double way = other.t - recent.t;
    const double least = closest * larger(absolute(recent.t), absolute(other.t)) / absolute(way);
    if (!(least < 0.5)) break;
    const double t = recent.t + clamped(part, least, 1 - least) * way;
    if (t == recent.t || t == other.t) break;
    const SearchPoint here{t, f(t)};
    const bool same_side = (here.value < 0) == (recent.value < 0);
    older = same_side ? recent : other;
    if (!same_side) other = recent;
    recent = here;
    part = just_left && other.t == before.t ? near_end : zero_part(recent, other, older);
  }
  return {recent, other};
}

}  // namespace armature::step
