// Pushes back against x > 0, where x is any expression of positions and t: a rope's elongation, a gap with its sign changed.
#pragma once

#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

// x', of an expression of positions and t. Throws FormulaError where it depends on more.
Expression rate_of_positions(EquationsBuilder& builder, Expression x, Location where);

// As add_push() does (mechanics/coordinate_forces.hpp). What moves x with t does work, push dx/dt, which is that of applied forces.
// where: of its formula in the file.
Expression add_moving_push(EquationsBuilder& builder, Expression x, Location where, Expression stiffness,
                           Expression damping, const PushWords& words);

}  // namespace armature::internal
