#include "study/dimensions.hpp"

#include <algorithm>

#include "expression/units.hpp"
#include "model/formula_units.hpp"
#include "model/joint_components.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

std::optional<Dimension> dimension_of_coordinate(const std::string& name, const Model& model) {
  for (const auto& coordinate : model.lagrangian.coordinates)
    if (coordinate.name == name) return coordinate.is_angle ? dimensionless : unit_of(coordinate.unit).dimension;
  const auto component = find_coordinate(model, name);
  if (!component) return std::nullopt;
  return component->is_length ? length_dimension : dimensionless;
}

}  // namespace

std::optional<Dimension> dimension_of(const Formula& formula, const Model& model) {
  Graph graph;
  const Value value = lower(formula, checking_scope(model, graph));
  if (value.dimension || formula.root->kind != Syntax::Kind::name) return value.dimension;
  if (const auto dimension = dimension_of_coordinate(formula.root->name, model)) return dimension;
  return FormulaUnits(model).dimension_of(formula);
}

std::optional<Dimension> dimension_of_varied(const std::string& name, const Model& model) {
  const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
  if (parameter != model.parameters.end()) return parameter->dimension;
  for (const AuxiliaryState& state : model.states)
    if (state.name == name) return state.dimension;
  if (const auto dimension = dimension_of_coordinate(name, model)) return dimension;
  for (const std::string suffix : {".v", "'"})
    if (name.ends_with(suffix))
      if (const auto dimension = dimension_of_coordinate(name.substr(0, name.size() - suffix.size()), model))
        return *dimension / time_dimension;
  return std::nullopt;
}

double constant_in(const std::string& text, const Model& model, std::optional<Dimension> dimension) {
  const Formula formula = parse_formula(text, {0, 1});
  const double value = evaluate_constant(formula, model);
  if (dimension) lower_scalar(formula, parameter_scope(model), dimension);
  return value;
}

}  // namespace armature::internal
