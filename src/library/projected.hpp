// A state on the constraints, from one that is nearly there.
#pragma once

#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

// Returns a state that satisfies the constraints as it is. Throws Error, which names the joint that is open, where the state is too far
// off.
internal::State projected(internal::State state, internal::SystemEvaluator& evaluator);

}  // namespace armature
