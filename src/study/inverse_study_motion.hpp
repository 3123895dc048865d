// Studies of the motion of `inverse`. Its efforts are found row by row. Where the variables are only numbers in the equations, the
// model is compiled once for each thread, and read again at each point for the numbers of its drives; else it is compiled anew there: what is varied may
// be anything, a gear ratio or a number of parts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "read/reader.hpp"
#include "study/study.hpp"

namespace armature::internal {

// Keeps references to all. names: of the variables, as in the request, with the values that each takes; varied: the model with them left
// open. Throws ModelError, RequestError.
std::unique_ptr<Study> inverse_study(const Model& model, const Settings& settings,
                                     const std::vector<std::string>& names,
                                     const std::vector<std::vector<double>>& values, const Varied& varied,
                                     const MotionFormulas& formulas);

}  // namespace armature::internal
