// Grids of the gains alpha and beta of Baumgarte's method on the card against those of the processor.
#pragma once

#include "gpu_check/check.hpp"

namespace armature::internal::gpu_check {

long compare_tunings(Check& check);  // cells that differ

}  // namespace armature::internal::gpu_check
