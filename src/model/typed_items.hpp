// Sections whose items say their `type`, which decides the keys of an item: constraints and forces.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/map_reader.hpp"

namespace armature::internal {

struct ItemType {
  std::string name;
  void (*read)(const YamlEntry& item, const MapReader& map, Reading& reading);
};

// section: "constraints" or "forces"; kind: the word for one item. The table of keys of a type is "section: type".
void read_typed_items(const YamlNode& node, const std::string& section, const std::string& kind,
                      const std::vector<ItemType>& types, Reading& reading);

}  // namespace armature::internal
