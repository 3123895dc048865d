// PD and PID controllers, continuous and sampled; see controllers.hpp.
#pragma once

#include "control/sampled.hpp"
#include "mechanics/builder.hpp"

namespace armature::internal {

void offer_continuous_pid(EquationsBuilder& builder, const Controller& controller);
void offer_sampled_pid(EquationsBuilder& builder, const Controller& controller);

}  // namespace armature::internal
