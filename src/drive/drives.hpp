// The drives of a model as equations. What a machine does is in the file of its kind.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Offers the drives' signals to formulas, and adds their torques, inertia, states and energies.
void add_drives(EquationsBuilder& builder);

}  // namespace armature::internal
