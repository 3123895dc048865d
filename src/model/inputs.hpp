// The inputs of a model where no host sets them.
#pragma once

#include "model/model.hpp"

namespace armature::internal {

// Every input becomes a parameter with the value of its default: for studies, which vary parameters.
Model with_inputs_as_parameters(Model model);

}  // namespace armature::internal
