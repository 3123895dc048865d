// Controllers that need the dynamics of the whole closed loop: gravity compensation and computed torque,
//
//   wanted acceleration  x'' = target'' + kd (target' - x') + kp (target - x)   of each coordinate x.
//
// Here they only state what is wanted; system/feedback solves for the efforts when all equations are known.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void offer_feedback(EquationsBuilder& builder, const Controller& controller);

}  // namespace armature::internal
