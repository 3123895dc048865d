// Surfaces that touch others, and planes on the ground.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

void draw_surface(MachineSketch& m, const SceneDrawing& drawing);
void draw_planes(MachineSketch& m);  // on the ground; two that overlap are one

}  // namespace armature::internal::plot
