// What sits on joints: springs, dampers, friction, end stops and inertia on a joint's coordinates.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void add_joint_elements(EquationsBuilder& builder);

}  // namespace armature::internal
