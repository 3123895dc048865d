// Gears, belts, racks, screws and shafts between joints.
#pragma once

#include "report/machine_drawing.hpp"

namespace armature::internal::plot {

struct CouplingLook {
  const MachineColors& colors;
  std::array<double, 2> travel;  // of the rack or nut, m
  bool flat = false;             // a planar machine, seen along its normal
};

void draw_coupling(const PosedScene& pose, const SceneCoupling& coupling, const CouplingLook& look, Sketch& sketch);

// The thread of a screw joint over the way that it takes.
void draw_thread(const PosedScene& pose, std::size_t joint, const std::array<double, 2>& travel, Sketch& sketch);

std::vector<Eigen::Vector3d> extent_of_coupling(const PosedScene& pose, const SceneCoupling& coupling);

}  // namespace armature::internal::plot
