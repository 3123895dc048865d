// The outcomes of comparisons at a pose, set by their event functions there.
#pragma once

#include <vector>

#include "system/system.hpp"

namespace armature::internal {

// Sets the outcomes of `state`, and those of the evaluator, by the event functions at this state. An event function may depend on
// other outcomes (an `if` within an `if`), so this repeats until nothing changes. Comparisons that slide stay as they are. Returns the
// comparisons whose outcome changed; those that never settle, since each outcome asks for the other, are among them.
std::vector<int> set_outcomes_by_roots(SystemEvaluator& evaluator, State& state);

}  // namespace armature::internal
