// The names that formulas of a model may use. The model must outlive the scopes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "expression/lower.hpp"
#include "model/model.hpp"

namespace armature::internal {

// Values of what moves, by name; nothing for other names.
using LookUp = std::function<std::optional<Value>(const std::string& name)>;

// The elements of a parameter that is a list, or null.
const Formula* find_list(const Model& model, const std::string& name);

// Parameters, tables, and definitions that use nothing else.
Scope parameter_scope(const Model& model);

// The same and what moves; definitions may use it. Definitions are lowered once; one that depends on itself throws
// FormulaError with the chain.
Scope model_scope(const Model& model, LookUp moving, std::function<Expression(Expression)> rate);

// For checking formulas: everything that moves is a leaf of the graph, with its dimension. Names as in docs/format.md:
// t; coordinates; points and origins of bodies; points on the ground.
Scope checking_scope(const Model& model, Graph& graph);

// Throws FormulaError if the formula is not a constant.
double evaluate_constant(const Formula& formula, const Model& model);
// Nothing where it is not given or no constant.
std::optional<double> find_constant(const Formula& formula, const Model& model);
std::array<double, 3> evaluate_constant_vector(const Formula& formula, const Model& model);

}  // namespace armature::internal
