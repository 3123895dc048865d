// Where a motion of a study starts: as the model says, on an assembly branch, or at a state of the caller.
#pragma once

#include "armature/study.hpp"
#include "run/chosen_start.hpp"

namespace armature {

// Throws Error: two starts, a branch below 0, a state that does not fit the model.
internal::StartChoice start_choice(const Model& model, int branch, const State* from);

}  // namespace armature
