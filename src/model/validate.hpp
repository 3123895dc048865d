// What can be said about a model only when all of it has been read.
#pragma once

#include "model/reading.hpp"

namespace armature::internal {

void check_formulas(Reading& reading);      // names, shapes, dimensions, ranges
void check_inertias(Reading& reading);      // of real bodies: triangle inequality
void check_connections(Reading& reading);   // every body hangs on the ground by joints
void check_joint_values(Reading& reading);  // axes, limits, breakaway

}  // namespace armature::internal
