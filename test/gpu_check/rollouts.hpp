// Rollouts on the card against those of the processor: many motions of as many steps, from states along one motion.
#pragma once

#include "gpu_check/check.hpp"

namespace armature::internal::gpu_check {

long compare_rollouts(Check& check);  // numbers that differ

}  // namespace armature::internal::gpu_check
