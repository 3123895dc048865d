// Where comparisons slide and no weight holds a root at zero (step/sliding.hpp, dynamics/sliding.hpp): it gets one just outside its range, on
// the side to which it goes, which ends the sliding.
#pragma once

#include "step/scalar.hpp"

namespace armature::step::sliding {

inline constexpr double unexplained = 1e-3;  // of what weights can do to a root: a residual that none takes away
inline constexpr double beyond = 1.01;       // times the range of a weight: just outside it

ARMATURE_STEP bool is_pushed(double residual, double largest_slope) {
  return absolute(residual) > unexplained * largest_slope;
}
ARMATURE_STEP double outside(bool above, double breakaway) { return 0.5 + (above ? 0.5 : -0.5) * beyond * breakaway; }

}  // namespace armature::step::sliding
