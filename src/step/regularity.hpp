// The scale of regularity: the sine of the angle between a constraint row and the rows before it, in the kinetic metric and
// measured against the size of the row's own vector (linear/kinetic_rows.hpp). A pure number: 1 for a row that is perpendicular
// to all others, 0 for one that follows from them. Pivots of S = Phi M^-1 Phi' over their scales are its square.
#pragma once

#include "step/row.hpp"

namespace armature::step {

struct Regularity {
  // Below it a row is dependent: round-off of phi, eps, leaves the accelerations uncertain by eps/s^2, which is as large as they
  // are themselves.
  static constexpr double dependent = 1e-8;
  // Below it the pose is nearly singular and the solve by a fixed order of pivots is not used: it loses eps/s^2, eight digits.
  static constexpr double singular = 1e-4;
  // Off the constraints by d, accelerations err by d/s^2. Stages of a Runge-Kutta step are off by what their low order leaves;
  // below this sine they are evaluated at their projection.
  static constexpr double near = 1e-2;
  // From here on the correction of a step is straight: one linear step leaves what is of second order.
  static constexpr double regular = 0.1;

  ARMATURE_STEP static constexpr double squared(double sine) { return sine * sine; }
};

}  // namespace armature::step
