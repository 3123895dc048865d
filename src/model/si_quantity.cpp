#include "model/si_quantity.hpp"

#include <fmt/format.h>

#include "expression/lower.hpp"
#include "expression/units.hpp"
#include "model/scope.hpp"

namespace armature::internal {
namespace {

// 1 is the unit of plain numbers. Throws FormulaError.
Dimension si_dimension(const std::string& unit, Location where) {
  if (unit == "1") return dimensionless;
  const Value value = lower(parse_formula("1 " + unit, where), Scope{});
  if (!value.dimension || value.parts[0].value() != 1)
    throw FormulaError(where, fmt::format("'{}' is not an SI unit", unit));
  return *value.dimension;
}

// Throws FormulaError.
void take_value(const Formula& formula, const Model& model, SiQuantity& quantity) {
  const Scope scope = parameter_scope(model);
  const Expression value = lower_scalar(formula, scope, quantity.dimension);
  if (!value.is_constant()) throw FormulaError(formula.where, fmt::format("'{}' is not a constant", formula.text));
  quantity.value = value.value();
  quantity.formula = formula;
  if (quantity.dimension) return;
  quantity.dimension = lower(formula, scope).dimension;
  if (quantity.dimension && *quantity.dimension != dimensionless) quantity.unit = to_string(*quantity.dimension);
}

}  // namespace

SiQuantity read_si_quantity(const MapReader& map, const std::string& value_key, Reading& reading) {
  SiQuantity quantity{map.text("unit").value_or(""), {}, 0};
  std::string key = "unit";
  try {
    if (!quantity.unit.empty()) quantity.dimension = si_dimension(quantity.unit, map.find(key)->where);
    if (quantity.unit == "1") quantity.unit.clear();  // an angle keeps rad
    key = value_key;
    if (const YamlNode* node = map.find(key))
      if (const Formula formula = read_formula(*node, map.path(key), reading); formula.given())
        take_value(formula, reading.model, quantity);
  } catch (const FormulaError& error) {
    reading.diagnostics.add(map.find(key)->where, map.path(key), error.what());
  }
  return quantity;
}

}  // namespace armature::internal
