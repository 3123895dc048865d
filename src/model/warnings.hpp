// What is odd about a model, though nothing is wrong with it: sentences for `check` and for every run.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

std::vector<std::string> warnings_of(const Model& model);

}  // namespace armature::internal
