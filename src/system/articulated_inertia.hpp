// Inertia of everything on a link and beyond it as the link's acceleration meets it, by blocks of three:
//   n = J alpha + H a,   f = H' alpha + M a
#pragma once

#include "mechanics/articulated_tree.hpp"

namespace armature::internal {

struct ArticulatedInertia {
  Mat3 J{}, H{}, M{};
};

ArticulatedInertia rigid_inertia(const ArticulatedLink& link);  // of a link by itself, about its origin
ArticulatedInertia moved(const ArticulatedLink& link, const ArticulatedInertia& own);  // seen from the parent
Wrench moved(const ArticulatedLink& link, const Wrench& x);
Wrench operator*(const ArticulatedInertia& I, const Freedom& s);
// I + sign x y' with y a multiple of x
void add_product(ArticulatedInertia& I, const Wrench& x, const Wrench& y, double sign);
void clear_component(ArticulatedInertia& I, int k);  // its row and column, 0 … 5

// Six numbers: about three axes, along three axes.
inline Expression& component(Wrench& x, int k) { return k < 3 ? x.n[k] : x.f[k - 3]; }
inline Expression component(const Freedom& s, int k) { return k < 3 ? s.angular[k] : s.linear[k - 3]; }
int unit_of(const Freedom& freedom);  // the component that a freedom is; -1: none
inline Expression along(const Freedom& s, const Wrench& x) { return dot(s.angular, x.n) + dot(s.linear, x.f); }
inline Wrench operator*(Expression factor, const Wrench& x) { return {factor * x.n, factor * x.f}; }
inline Wrench operator+(const Wrench& x, const Wrench& y) { return {x.n + y.n, x.f + y.f}; }
inline Wrench operator-(const Wrench& x, const Wrench& y) { return {x.n - y.n, x.f - y.f}; }

}  // namespace armature::internal
