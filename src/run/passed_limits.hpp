// Current limits that fixed steps pass. An amplifier that limits the current of a winding with inductance switches at the
// limit; error-controlled integrators stop there, one of fixed steps sees it a step too late, by which time the current is
// beyond it by as much as it changes in a step.
#pragma once

#include <string>
#include <vector>

#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// For each motor whose largest current lies beyond its limit. step: that of the run, s.
Findings passed_limits(const std::vector<Prepared::CurrentLimit>& limits, const std::vector<Peak>& peaks,
                       const RunOptions& options);

}  // namespace armature::internal
