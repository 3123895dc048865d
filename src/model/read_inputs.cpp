// Inputs: numbers that a host program sets between steps; the default holds until it does, and in every run without a host.
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

}  // namespace

void read_inputs(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "inputs", reading)) read_input(entry, reading);
}

}  // namespace armature::internal
