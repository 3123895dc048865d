// Efforts of computed torque and gravity compensation as expressions: inverse dynamics of the closed loop by the traced
// solve. With rows C of the controlled coordinates' rates besides those of the loops,
//
//   M vdot + Phi' lambda + C' mu = f,   Phi vdot = gamma,   C vdot = wanted - Cdot v      effort = -mu
//
// where f holds everything but these efforts. At rest: the same with -dV/dq for f and zeros on the right.
#pragma once

#include "mechanics/equations.hpp"
#include "model/model.hpp"

namespace armature::internal {

// Solves for Equations::feedback and puts the efforts in place of their leaves. Throws ModelError where an effort does not
// act in full on its own coordinate.
void resolve_feedback(const Model& model, Equations& equations);

}  // namespace armature::internal
