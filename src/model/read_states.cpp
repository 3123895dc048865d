// Auxiliary states: quantities with a rate of their own.
#include "expression/units.hpp"
#include "model/for_loop.hpp"
#include "model/read_sections.hpp"
#include "model/si_quantity.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

void read_state(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("states", entry.key);
  reading.take_name(entry.key, "state", entry.where, path);
  const MapReader map(entry.value, keys_of("states"), path, reading);
  const SiQuantity start = read_si_quantity(map, "start", reading);
  AuxiliaryState state{entry.key, entry.where, start.unit, start.dimension, {}, start.formula};
  if (const YamlNode* node = map.find("rate")) state.rate = read_formula(*node, map.path("rate"), reading);
  if (state.rate.given())
    reading.checks.push_back({state.rate, map.path("rate"), *find_key(keys_of("states"), "rate"),
                              state.dimension ? std::optional(*state.dimension / time_dimension) : std::nullopt});
  reading.model.states.push_back(std::move(state));
}

}  // namespace

void read_states(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "states", reading)) read_state(entry, reading);
}

}  // namespace armature::internal
