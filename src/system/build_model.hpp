// From any kind of model to its equations, with drives and controllers on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanics/equations.hpp"
#include "model/model.hpp"

namespace armature::internal {

// free_parameters stay inputs of the programs (sweeps, maps, sliders); all others are folded. Throws ModelError.
std::shared_ptr<Equations> build_model(const Model& model, const std::vector<std::string>& free_parameters = {});

// A free parameter of this name is a force on that velocity. It is added when everything else is built, so that no controller knows of it: a
// page pulls the machine with it.
std::string hand_force(std::size_t velocity);

// The same with M and f as mechanics has them: M has no inverse where links are massless (constraint_inertia.hpp). To print.
std::shared_ptr<Equations> build_plain_model(const Model& model, const std::vector<std::string>& free_parameters = {});

}  // namespace armature::internal
