#include "model/formula_units.hpp"

#include "expression/units.hpp"

namespace armature::internal {

FormulaUnits::FormulaUnits(const Model& model)
    : exact_(exact_scope(model, graph_)), checking_(checking_scope(model, graph_)) {}

// sin(t) has no value where t is a time, so that such formulas have the dimension that checks give them.
std::optional<Dimension> FormulaUnits::dimension_of(const Formula& formula) const {
  for (const Scope* scope : {&exact_, &checking_}) {
    try {
      if (const Value value = lower(formula, *scope); value.dimension) return value.dimension;
    } catch (const FormulaError&) {
    }
  }
  return std::nullopt;
}

std::string FormulaUnits::unit_of(const Formula& formula) const {
  const std::optional<Dimension> dimension = dimension_of(formula);
  return dimension && *dimension != dimensionless ? to_string(*dimension) : "";
}

}  // namespace armature::internal
