#include "model/inputs.hpp"

#include "model/formula_tree.hpp"

namespace armature::internal {

Model with_inputs_as_parameters(Model model) {
  for (const HostInput& input : model.inputs)
    model.parameters.push_back({input.name, number_formula(input.value), input.value, input.dimension});
  model.inputs.clear();
  return model;
}

}  // namespace armature::internal
