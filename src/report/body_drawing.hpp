// Bodies: given shapes, bent beams, and bars, plates or stars between joints and points; cams and Geneva drives; lines of a Lagrangian.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

void draw_body(MachineSketch& m, int k);
void draw_profile(MachineSketch& m, const SceneProfile& profile);
void draw_lines(MachineSketch& m, const SceneDrawing& drawing);  // of a Lagrangian; one point is a dot

}  // namespace armature::internal::plot
