// The start of a motion for a page that changes parameters or start values: residuals of the conditions that hold exactly (keep, speed) and
// of the loops, with their derivatives by the velocities, as a program. The page closes them by Newton's method, from the start of the run.
#pragma once

#include <memory>
#include <vector>

#include "system/system.hpp"

namespace armature::internal {

// Outputs: position residuals, their derivatives row by row; velocity residuals, theirs; values of states.
struct PageStart {
  std::shared_ptr<const Program> program;  // of the inputs of Layout
  int positions = 0, velocities = 0;       // residuals
  std::vector<int> states;                 // entries of x that have start values of their own
};
PageStart page_start(const System& system);

}  // namespace armature::internal
