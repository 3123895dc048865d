// Controllers: named signals that formulas of drives and forces use. What each kind computes is in its own file.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void add_controllers(EquationsBuilder& builder);

// The signal under the controller's own name becomes a channel.
void record_signal(EquationsBuilder& builder, const Controller& controller);

}  // namespace armature::internal
