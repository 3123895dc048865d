// Studies of the motion of `inverse`. Its efforts are found row by row, and the model is read and compiled anew at each point: what is
// varied may be anything, a gear ratio or a number of parts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "read/reader.hpp"
#include "study/study.hpp"

namespace armature::internal {

// Keeps references to all. names: of the variables, as in the request; varied: the model with them left open. Throws ModelError,
// RequestError.
std::unique_ptr<Study> inverse_study(const Model& model, const Settings& settings, const std::vector<std::string>& names,
                                     const Varied& varied, const MotionFormulas& formulas);

}  // namespace armature::internal
