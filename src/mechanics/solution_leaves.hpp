// Accelerations, multipliers and reactions in formulas. They are the solution of the equations of motion, so that formulas see leaves
// in their place, which the solution replaces once the equations are complete (system/solution_signals.hpp). A force that
// depends on them is part of the equations that it needs solved: an algebraic loop, which is solved where the force is in proportion
// to them (system/friction_loads.hpp), and refused elsewhere.
#pragma once

#include <string>

#include "mechanics/equations.hpp"

namespace armature::internal {

// For formulas. Leaves are made as they are asked for: of all velocities or rows up to this one.
Expression acceleration_in_formula(Equations& equations, std::size_t velocity);
Expression multiplier_in_formula(Equations& equations, std::size_t row);
const std::array<Expression, 6>& reaction_in_formula(Equations& equations, const std::string& joint);

void complete_solution_leaves(Equations& equations);  // of all velocities and rows

bool has_acceleration(const Equations& equations, Expression x);
bool has_constraint_force(const Equations& equations, Expression x);  // a multiplier or a reaction

// Throws FormulaError where x depends on one of the leaves.
void refuse_algebraic_loop(const Equations& equations, Expression x);

}  // namespace armature::internal
