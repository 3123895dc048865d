// The unit of what a drive or an effort is commanded: V, A, Hz, rad, N m or N; a valve's opening has none.
#pragma once

#include <string>

#include "model/model.hpp"

namespace armature::internal {

std::string unit_of_input(
    const Model& model,
    const std::string& name);  // of a drive, an effort or an input of the model; "": none, or not known

}  // namespace armature::internal
