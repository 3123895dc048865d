// A prismatic joint in a planar picture: a block on its guide.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

constexpr double shoe_length = 2.4;  // of a brake behind a slider, units of the sketch

void draw_slider(MachineSketch& m, std::size_t k);

}  // namespace armature::internal::plot
