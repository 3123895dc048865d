#include "model/typed_items.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

void read_item(const YamlEntry& entry, const std::string& section, const std::string& kind,
               const std::vector<ItemType>& types, Reading& reading) {
  const std::string path = dotted(section, entry.key);
  reading.take_name(entry.key, kind, entry.where, path);
  std::vector<std::string> names;
  for (const ItemType& type : types) names.push_back(type.name);
  const YamlNode* node = entry.value.find("type");
  if (!node) {
    reading.diagnostics.add(entry.where, path, fmt::format("'type' is missing ({})", one_of(names)));
    return;
  }
  const std::string word = read_text(*node, dotted(path, "type"), reading).value_or("");
  const auto type = std::find_if(types.begin(), types.end(), [&](const ItemType& t) { return t.name == word; });
  if (type == types.end()) {
    reading.diagnostics.add(node->where, dotted(path, "type"),
                            fmt::format("unknown type of {} '{}'{}", kind, word, near_or_all(word, names)));
    return;
  }
  type->read(entry, MapReader(entry.value, type->keys, path, reading));
}

}  // namespace

void read_typed_items(const YamlNode& node, const std::string& section, const std::string& kind,
                      const std::vector<ItemType>& types, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(node, section, reading))
    read_item(entry, section, kind, types, reading);
}

}  // namespace armature::internal
