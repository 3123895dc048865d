// Determinants of square blocks of Phi, by the coordinates of their columns: zero where these coordinates cannot be found
// from the others. With the driven coordinates det Phi = 0 is a singularity of type I, with the rest of type II.
#pragma once

#include "mechanics/equations.hpp"
#include "model/model.hpp"

namespace armature::internal {

// The columns of Phi that belong to some coordinates, row by row. Throws FormulaError for a name that is none.
std::vector<std::vector<Expression>> columns_of_Phi(const Equations& equations,
                                                    const std::vector<std::string>& coordinates, Location where);
Expression determinant(const std::vector<std::vector<Expression>>& matrix);

// Adds those of `record: {determinants: …}` as quantities and events. Throws ModelError.
void add_determinants(const Model& model, Equations& equations);

}  // namespace armature::internal
