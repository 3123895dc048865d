// The Runge-Kutta methods of the table (step/methods.def) by name, and their weights as matrices for whoever analyses them.
#pragma once

#include <Eigen/Core>
#include <string>

#include "step/tableau.hpp"

namespace armature::internal {

using step::Tableau;

// Null for any other name.
const Tableau* find_tableau(const std::string& name);
const Tableau& tableau(const std::string& name);  // throws std::out_of_range for any other name

Eigen::MatrixXd stage_weights(const Tableau& method);  // A, s x s
Eigen::VectorXd end_weights(const Tableau& method);    // b, s

}  // namespace armature::internal
