// Constraints on velocities alone: surfaces that roll on each other without slip, and blades that do not move sideways. No position
// satisfies or violates them; the pose that the machine reaches depends on its way there.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Rows of the model's rolling constraints: the gap, which stays closed, and the slip, which stays zero; of a knife edge the velocity across.
void add_rolling(EquationsBuilder& builder);

// Throws RequestError where there is one: what is asked for, "modes", works with positions.
void refuse_velocity_rows(const Equations& equations, const std::string& what);

}  // namespace armature::internal
