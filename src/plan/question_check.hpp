// What no search needs to find out: limits that the start or the target itself violates.
//
// A limit of the state alone has a value at the start. It has one at the target where the target determines it: where its gradient is a
// combination of those of the loops and of the target formulas.
#pragma once

#include "plan/collocation.hpp"

namespace armature::internal {

// A limit that a plan keeps some distance from (end stops, speeds of motors) comes as near as the start and the target are. Throw RequestError.
void check_start(PlannedMachine& machine);
// target: a state with this pose, as first_guess.hpp found it. machine: that of the collocation.
void check_target(const Collocation& collocation, const Eigen::VectorXd& target, PlannedMachine& machine);

}  // namespace armature::internal
