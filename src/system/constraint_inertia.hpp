// Massless links. Where nothing that a velocity moves has mass or inertia, M has a zero row, and no inverse. The motion is
// determined all the same where the constraints determine that velocity: a coupler between two cranks, a rod between two balls, a
// joint whose motion is prescribed. The equations then have
//
//   M + Phi' W Phi,   f + Phi' W gamma
//
// in place of M and f, with the rows of Phi that move with massless velocities and any positive W. As Phi vdot = gamma, both
// sides grow by the same: accelerations and multipliers are exactly those of M and f, whatever W. The sum is positive definite
// where M is on the null space of these rows (the augmented Lagrangian of a saddle point; Golub and Greif, On solving
// block-structured indefinite linear systems, SIAM J. Sci. Comput. 24 (2003)). Kinetic energy stays that of M.
//
// W is of the size of the machine's own mass or inertia: a W that is too large or too small costs digits, one for every power of
// ten.
#pragma once

#include "mechanics/equations.hpp"

namespace armature::internal {

// Nothing happens where M has no zero rows.
void add_constraint_inertia(Equations& equations);

// Mass or moment of inertia of a size that fits the machine, for a velocity along which there is none.
Expression typical_inertia(const Equations& equations, bool of_length);

}  // namespace armature::internal
