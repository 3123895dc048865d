// Joints with what acts in them: motor, spring, damper, brake, end stops. Sliders have files of their own.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

void draw_joint(MachineSketch& m, std::size_t k);

}  // namespace armature::internal::plot
