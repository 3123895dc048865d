// Inputs: numbers that a host program sets between steps; the default holds until it does, and in every run without a host.
#include <algorithm>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/read_sections.hpp"
#include "model/si_quantity.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

void read_input(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("inputs", entry.key);
  reading.take_name(entry.key, "input", entry.where, path);
  const MapReader map(entry.value, keys_of("inputs"), path, reading);
  const SiQuantity given = read_si_quantity(map, "default", reading);
  reading.model.inputs.push_back({entry.key, entry.where, given.unit, given.dimension, given.value});
}

// What --set may name.
std::vector<std::string> names_of(const std::vector<YamlEntry>& inputs, const Reading& reading) {
  std::vector<std::string> names;
  for (const YamlEntry& input : inputs) names.push_back(input.key);
  for (const Parameter& parameter : reading.model.parameters) names.push_back(parameter.name);
  return names;
}

// --set of inputs that a `for` makes, which have their names only now.
void set_defaults(std::vector<YamlEntry>& entries, Reading& reading) {
  for (const auto& [name, value] : reading.input_defaults) {
    const auto found = std::ranges::find(entries, name, &YamlEntry::key);
    if (found != entries.end() && found->value.is_map())
      set_entry(found->value, "default", value);
    else
      reading.diagnostics.add(
          {}, "--set " + name,
          fmt::format("there is no parameter or input '{}'{}", name, did_you_mean(name, names_of(entries, reading))));
  }
}

}  // namespace

void read_inputs(const YamlNode& section, Reading& reading) {
  std::vector<YamlEntry> entries = expanded_entries(section, "inputs", reading);
  set_defaults(entries, reading);
  for (const YamlEntry& entry : entries) read_input(entry, reading);
}

}  // namespace armature::internal
