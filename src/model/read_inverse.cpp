// The motion wanted of inverse dynamics, and the coordinates on which ideal efforts act.
#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {

void read_inverse(const YamlNode& section, Reading& reading) {
  if (section.kind == YamlNode::Kind::null) return;
  static constexpr KeySpec wanted{"", "", Holds::any_value, "", "", ValueRange::any, true};
  const MapReader map(section, keys_of("inverse"), "inverse", reading);
  for (const CoordinateReference& on : read_coordinates(map, "actuators", reading))
    reading.model.actuators.push_back(on.name);
  const YamlNode* motion = map.find("motion");
  if (!motion) return;
  for (const YamlEntry& entry : expanded_entries(*motion, "inverse.motion", reading)) {
    const std::string path = dotted("inverse.motion", entry.key);
    const Formula formula = read_formula(entry.value, path, reading);
    reading.check_later(formula, path, wanted);
    reading.check_later(name_formula(entry.key, entry.where), path, wanted);
    reading.model.motion.push_back({entry.key, entry.where, formula});
  }
}

}  // namespace armature::internal
