#include "read/read_items.hpp"

#include <algorithm>

#include "control/controller_kinds.hpp"
#include "drive/drive_kinds.hpp"
#include "force/force_kinds.hpp"
#include "model/typed_items.hpp"

namespace armature::internal {
namespace {

// section: "forces"; word: that for one item
template <class Kind, class List>
void read_items(const YamlNode& node, const std::string& section, const std::string& word,
                std::span<const Kind* const> kinds, List& items, Reading& reading) {
  std::vector<ItemType> types;
  for (const Kind* kind : kinds)
    types.push_back({kind->type(), kind->format().keys, [&items, &reading, kind](const auto& entry, const auto& map) {
                       typename List::value_type item;
                       item.name = entry.key, item.where = entry.where, item.kind = kind;
                       kind->read(map, item, reading);
                       items.push_back(std::move(item));
                     }});
  read_typed_items(node, section, word, types, reading);
}

// One without a type stands for its name, so that its use is not reported as another mistake.
void name_broken_controllers(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : section.entries) {
    const auto is_known = [&](const Controller& known) { return known.name == entry.key; };
    if (std::ranges::any_of(reading.model.controllers, is_known) || reading.diagnostics.empty()) continue;
    Controller controller;
    controller.name = entry.key, controller.where = entry.where, controller.kind = controller_kinds().front();
    reading.model.controllers.push_back(std::move(controller));
  }
}

}  // namespace

void read_forces(const YamlNode& section, Reading& reading) {
  read_items(section, "forces", "force", force_kinds(), reading.model.forces, reading);
}

void read_drives(const YamlNode& section, Reading& reading) {
  read_items(section, "drives", "drive", drive_kinds(), reading.model.drives, reading);
}

void read_controllers(const YamlNode& section, Reading& reading) {
  read_items(section, "controllers", "controller", controller_kinds(), reading.model.controllers, reading);
  name_broken_controllers(section, reading);
}

}  // namespace armature::internal
