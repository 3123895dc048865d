// Steps resolve the motion: between three points of it, a function strays from them by less than it moves from point to
// point. A parabola through them does so by at most an eighth of that; the rest is for steps of unlike lengths.
#pragma once

#include <cmath>

namespace armature::internal {

inline double stray(double a, double b, double c) { return 2 * (std::abs(b - a) + std::abs(c - b)); }

}  // namespace armature::internal
