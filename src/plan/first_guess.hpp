// The motion from which a plan is searched: the pose goes from the start to the targets (or along the path) in a straight line of the target
// formulas, the loops closed at every node; velocities and accelerations follow, and inputs by inverse dynamics in least squares.
//
// A free duration is the shortest of a geometric series at which this motion keeps all limits, with some reserve.
#pragma once

#include "plan/collocation.hpp"

namespace armature::internal {

PlannedMotion first_guess(const Collocation& collocation, int intervals);

}  // namespace armature::internal
