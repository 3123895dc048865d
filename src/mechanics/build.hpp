// From a model to its equations.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanics/builder.hpp"
#include "mechanics/equations.hpp"
#include "model/model.hpp"

namespace armature::internal {

// free_parameters stay inputs of the programs (sweeps, maps, sliders); all others are folded. Throws ModelError.
// Mechanisms as such; system/build_model adds drives and controllers.
std::shared_ptr<Equations> build_equations(const Model& model, const std::vector<std::string>& free_parameters = {},
                                           const ElementAdder& add_elements = {});

// What every kind of model begins and ends with: t and the free parameters; then work, recorded quantities, and the leaves of
// accelerations and multipliers. The latter throws ModelError with what the builder has to complain about.
std::shared_ptr<Equations> begin_equations(const Model& model, const std::vector<std::string>& free_parameters);
void complete_equations(EquationsBuilder& builder);

}  // namespace armature::internal
