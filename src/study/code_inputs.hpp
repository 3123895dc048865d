// Parameters that become inputs of exported code: numbers in the equations and nothing else.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "read/reader.hpp"

namespace armature::internal {

// Each input is tried at another value. settings: with which the model was read. Throws RequestError: a name that does not exist or is given twice, and a parameter that changes
// more than numbers (a number of parts, an axis).
void require_code_inputs(const std::vector<std::string>& inputs, const Model& model, const Settings& settings);

}  // namespace armature::internal
