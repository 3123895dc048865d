// The minimum of a function between two times: Brent's search (Algorithms for Minimization without Derivatives, 1973, chapter 5).
// A parabola through three points says where to look next; a golden section takes the place of a step that does not shrink fast.
#pragma once

#include "step/zero_search.hpp"

namespace armature::step {

struct MinimumSearch {
  static constexpr double section = 0.381966011250105;  // golden: (3 - sqrt 5)/2
  double closeness = resolved(1e-9);                    // of the time to look in
  int most_steps = 43;                                  // as many golden sections would do
  double enough = -infinity;                            // a value that needs no less

  // From a point between a and b that is known.
  template <class F>
  ARMATURE_STEP SearchPoint operator()(const F& f, double a, double b, SearchPoint best) const {
    const double near = closeness * (b - a);
    SearchPoint second = best, third = best;
    double move = 0, before = 0;
    for (int k = 0; k < most_steps && best.value > enough; ++k) {
      const double middle = 0.5 * (a + b);
      if (absolute(best.t - middle) <= 2 * near - 0.5 * (b - a)) break;
      const double r = (best.t - second.t) * (best.value - third.value);
      const double q = (best.t - third.t) * (best.value - second.value);
      double p = (best.t - third.t) * q - (best.t - second.t) * r, denominator = 2 * (q - r);
      if (denominator > 0) p = -p;
      denominator = absolute(denominator);
      const bool parabola = absolute(p) < absolute(0.5 * denominator * before) && p > denominator * (a - best.t) &&
                            p < denominator * (b - best.t);
      before = parabola ? move : (best.t < middle ? b : a) - best.t;
      move = parabola ? p / denominator : section * before;
      const double t = absolute(move) >= near ? best.t + move : best.t + with_sign(near, move);
      const SearchPoint here{t, f(t)};
      if (here.value <= best.value) {
        (t < best.t ? b : a) = best.t;
        third = second, second = best, best = here;
        continue;
      }
      (t < best.t ? a : b) = t;
      if (here.value <= second.value || second.t == best.t)
        third = second, second = here;
      else if (here.value <= third.value || third.t == best.t || third.t == second.t)
        third = here;
    }
    return best;
  }

  template <class F>
  ARMATURE_STEP SearchPoint operator()(const F& f, double a, double b) const {
    const double t = a + section * (b - a);
    return (*this)(f, a, b, {t, f(t)});
  }

 private:
  ARMATURE_STEP static double with_sign(double size, double of) { return bits_of(of) < 0 ? -size : size; }
};

}  // namespace armature::step
