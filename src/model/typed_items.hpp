// Sections whose items name their `type`, which decides the keys of an item: constraints, forces, drives and controllers.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/map_reader.hpp"

namespace armature::internal {

struct ItemType {
  std::string name;
  KeyTable keys;
  std::function<void(const YamlEntry& item, const MapReader& map)> read;
};

// section: "constraints"; kind: the word for one item.
void read_typed_items(const YamlNode& node, const std::string& section, const std::string& kind,
                      const std::vector<ItemType>& types, Reading& reading);

}  // namespace armature::internal
