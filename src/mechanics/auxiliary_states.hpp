// The states of a model's section `states`: each is a further state whose rate is a formula. Formulas use it and its derivative by name.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Whether x is known before the motion: a number, or of parameters that differ from motion to motion.
bool is_of_parameters(Expression x, const Equations& equations);

// Before drives and controllers, whose formulas may use them.
void add_auxiliary_states(EquationsBuilder& builder);

}  // namespace armature::internal
