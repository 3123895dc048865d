// Inputs: numbers that a host program sets between steps; the default holds until it does, and in every run without a host.
#include <fmt/format.h>

#include "expression/lower.hpp"
#include "expression/units.hpp"
#include "model/for_loop.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

// The dimension of a unit of SI; 1 is that of plain numbers. Throws FormulaError.
Dimension dimension_of_input(const std::string& unit, Location where) {
  if (unit == "1") return dimensionless;
  const Value value = lower(parse_formula("1 " + unit, where), Scope{});
  if (!value.dimension || value.parts[0].value() != 1)
    throw FormulaError(where, fmt::format("'{}' is not a unit of SI, in which inputs are set", unit));
  return *value.dimension;
}

// The unit of the default is that of the input, where the input gives none itself. Throws FormulaError.
void read_default(const Formula& formula, HostInput& input, const Model& model) {
  const Scope scope = parameter_scope(model);
  const Expression value = lower_scalar(formula, scope, input.dimension);
  if (!value.is_constant()) throw FormulaError(formula.where, fmt::format("'{}' is not a constant", formula.text));
  input.value = value.value();
  if (input.dimension) return;
  input.dimension = lower(formula, scope).dimension;
  if (input.dimension && *input.dimension != dimensionless) input.unit = to_string(*input.dimension);
}

void read_input(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("inputs", entry.key);
  reading.take_name(entry.key, "input", entry.where, path);
  const MapReader map(entry.value, keys_of("inputs"), path, reading);
  HostInput input{entry.key, entry.where, map.text("unit").value_or(""), {}, 0};
  std::string key = "unit";
  try {
    if (!input.unit.empty()) input.dimension = dimension_of_input(input.unit, map.find(key)->where);
    if (input.dimension == dimensionless) input.unit.clear();
    key = "default";
    if (const YamlNode* node = map.find(key))
      if (const Formula formula = read_formula(*node, map.path(key), reading); formula.given())
        read_default(formula, input, reading.model);
  } catch (const FormulaError& error) {
    reading.diagnostics.add(map.find(key)->where, map.path(key), error.what());
  }
  reading.model.inputs.push_back(input);
}

}  // namespace

void read_inputs(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "inputs", reading)) read_input(entry, reading);
}

}  // namespace armature::internal
