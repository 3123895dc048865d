#include "force/moving_contact.hpp"

#include "expression/derivative.hpp"
#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

namespace {

Expression rate_of_positions(EquationsBuilder& builder, Expression x, Location where) {
  for (const std::int32_t leaf : leaves_of(x))
    if (builder.velocities().number_of(leaf) >= 0)
      throw FormulaError(where, "depends on a velocity; it may depend on positions and t");
  return builder.rate_of(x);
}

}  // namespace

Expression add_moving_push(EquationsBuilder& builder, Expression x, Location where, Expression stiffness,
                           Expression damping) {
  const Expression push = add_push(builder, x, rate_of_positions(builder, x, where), stiffness, damping);
  Equations& equations = builder.equations();
  if (!x.is_constant()) equations.applied_power += push * Derivative({{equations.t.id(), 1.0}})(x);
  return push;
}

}  // namespace armature::internal
