// What pulls along a line: springs, dampers, gas springs, ropes; rods of a given length; bushings.
#pragma once

#include "report/machine_sketch.hpp"

namespace armature::internal::plot {

void draw_link(MachineSketch& m, std::size_t k);

}  // namespace armature::internal::plot
