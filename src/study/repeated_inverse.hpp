// The motion of inverse dynamics once more, for the errors of its numbers (inspect/error_bars.hpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "inspect/repeated_run.hpp"
#include "run/chosen_start.hpp"

namespace armature::internal {

// formulas: name, formula of each number of the motion.
RepeatedRun inverse_again(const Model& model, const std::vector<std::pair<std::string, std::string>>& formulas,
                          const StartChoice& start, const Progress& progress);

}  // namespace armature::internal
