// What a run records besides q and v: inputs, points of bodies, definitions and the formulas of `record`.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void add_quantities(EquationsBuilder& builder);

}  // namespace armature::internal
