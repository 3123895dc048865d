// The motion of inverse dynamics or kinematics once more, for the errors of its numbers (inspect/error_bars.hpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "inspect/repeated_run.hpp"
#include "run/chosen_start.hpp"

namespace armature::internal {

// formulas: name, formula of each number of the motion.
using NamedFormulas = std::vector<std::pair<std::string, std::string>>;
RepeatedRun inverse_again(const Model& model, const NamedFormulas& formulas, const StartChoice& start,
                          const Progress& progress);
RepeatedRun kinematics_again(const Model& model, const NamedFormulas& formulas, const StartChoice& start,
                             const Progress& progress);

}  // namespace armature::internal
