#include "force/moving_contact.hpp"

#include "expression/derivative.hpp"
#include "mechanics/coordinate_forces.hpp"
#include "mechanics/solution_leaves.hpp"

namespace armature::internal {

Expression rate_of_positions(EquationsBuilder& builder, Expression x, Location where) {
  const Expression rate = builder.rate_of(x);
  if (!has_acceleration(builder.equations(), rate)) return rate;
  throw FormulaError(where, "depends on a velocity; it may depend on positions and t");
}

Expression add_moving_push(EquationsBuilder& builder, Expression x, Location where, Expression stiffness,
                           Expression damping, const PushWords& words) {
  const Expression push = add_push(builder, x, rate_of_positions(builder, x, where), stiffness, damping, words);
  Equations& equations = builder.equations();
  if (!x.is_constant()) equations.applied_power += push * Derivative({{equations.t.id(), 1.0}})(x);
  return push;
}

}  // namespace armature::internal
