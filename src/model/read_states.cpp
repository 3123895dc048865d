// Auxiliary states: quantities with a rate of their own.
#include <fmt/format.h>

#include "expression/lower.hpp"
#include "expression/units.hpp"
#include "model/for_loop.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

// Throws FormulaError.
Dimension dimension_of_state(const std::string& unit, Location where) {
  const Value value = lower(parse_formula("1 " + unit, where), Scope{});
  if (!value.dimension || value.parts[0].value() != 1)
    throw FormulaError(where, fmt::format("'{}' is not an SI unit; states are recorded in SI", unit));
  return *value.dimension;
}

void read_state(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("states", entry.key);
  reading.take_name(entry.key, "state", entry.where, path);
  const MapReader map(entry.value, keys_of("states"), path, reading);
  AuxiliaryState state{entry.key, entry.where, map.text("unit").value_or(""), {}, {}, 0};
  std::string key = "unit";
  try {
    if (!state.unit.empty()) state.dimension = dimension_of_state(state.unit, map.find(key)->where);
    key = "start";
    if (const YamlNode* node = map.find(key))
      if (const Formula formula = read_formula(*node, map.path(key), reading); formula.given()) {
        const Expression value = lower_scalar(formula, parameter_scope(reading.model), state.dimension);
        if (!value.is_constant())
          throw FormulaError(formula.where, fmt::format("'{}' is not a constant", formula.text));
        state.start = value.value();
      }
  } catch (const FormulaError& error) {
    reading.diagnostics.add(map.find(key)->where, map.path(key), error.what());
  }
  if (const YamlNode* node = map.find("rate")) {
    state.rate = read_formula(*node, map.path("rate"), reading);
    if (state.rate.given())
      reading.checks.push_back({state.rate, map.path("rate"), map.spec("rate"),
                                state.dimension ? std::optional(*state.dimension / time_dimension) : std::nullopt});
  }
  reading.model.states.push_back(std::move(state));
}

}  // namespace

void read_states(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "states", reading)) read_state(entry, reading);
}

}  // namespace armature::internal
