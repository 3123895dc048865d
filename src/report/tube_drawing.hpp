// A prismatic joint in space: a tube that pulls out, or a block on a rail.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

void draw_tube(MachineSketch& m, std::size_t k);

// Whether it is a tube; else, and in planar machines, it is a line along which a block moves.
bool pulls_out(const MachineSketch& m, const SceneJoint& joint);

}  // namespace armature::internal::plot
