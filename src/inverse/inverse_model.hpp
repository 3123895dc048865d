// The model of inverse dynamics: wanted motions as constraint rows, drives and actuators as efforts.
#pragma once

#include <string>
#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

inline const std::string motion_prefix = "motion of ";  // of the rows
inline const std::string effort_prefix = "inverse.";    // of the parameters that are efforts
inline const std::string limit_prefix = "limit of ";    // of quantities: a drive's limits
inline const std::string driven_prefix = "driven by ";  // of quantities: the coordinate behind an elastic gear
inline const std::string signal_prefix = "signal of ";  // of states: what a drive needs, which formulas of the file use

// Throws ModelError where the model has no motion, no actuator, or an actuator that inverse dynamics does not know.
// free_parameters stay inputs of the programs beside the efforts.
Prepared compile_inverse(const Model& model, const std::vector<std::string>& free_parameters = {});

std::vector<bool> rows_of_motion(const Equations& equations);
std::vector<int> effort_places(const Equations& equations);                 // among the parameters
int effort_index(const Equations& equations, const std::string& actuator);  // among the efforts
const Expression* find_quantity(const Equations& equations, const std::string& name);

}  // namespace armature::internal
