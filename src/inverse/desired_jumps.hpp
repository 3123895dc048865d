// Wanted motions that no effort produces: where a position or a speed jumps. A jump of the acceleration is a finite jump of
// effort, and allowed.
#pragma once

#include <string>
#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

// A sentence about the first jump, or nothing. motion: for each row whether it is one of wanted motion.
std::string jump_of_desired_motion(const Prepared& prepared, const std::vector<bool>& motion);

}  // namespace armature::internal
