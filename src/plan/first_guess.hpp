// The motion from which a plan is searched: the pose goes from the start to the targets (or along the path) in a straight line of the target
// formulas, the loops closed at every node; velocities and accelerations follow, and inputs by inverse dynamics in least squares.
//
// A free duration is the shortest of a geometric series at which this motion keeps all limits, with some reserve. Where a target formula does not
// change to first order, as the height of a hanging pendulum, the pose is pushed aside a little.
//
// Other seeds than 0 give other guesses, always the same: the line is bent sideways, and has another pace.
#pragma once

#include "plan/collocation.hpp"

namespace armature::internal {

PlannedMotion first_guess(const Collocation& collocation, int intervals, unsigned seed = 0);

}  // namespace armature::internal
