// What `armature kinematics` records: of the columns of a run those that follow from positions and velocities. Nothing drives
// the machine there, so a motor has no current and no torque, and no work is done.
#pragma once

#include "inverse/kinematics.hpp"

namespace armature::internal {

// Definitions, quantities and events of the file that have no column, since they follow from forces or from states besides positions
// and velocities.
std::vector<std::string> quantities_left_out(const Model& model, const Prepared& prepared);
inline constexpr const char* no_forces = "kinematics does not compute what this depends on: forces, currents or states";

// move(), less the columns of forces, windings, work and heat. Warns where the file asks for reactions, and where the motion jumps.
Outcome record_kinematics(const Model& model, const Prepared& prepared, Recorder& recorder, const Progress& progress);

}  // namespace armature::internal
