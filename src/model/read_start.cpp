// The start: coordinates, points, bodies and currents, at which they are kept (exact) or near which they are sought.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/joint_components.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

enum class Target { coordinate, point, body, definition, state, unknown };

struct Known {
  Target target;
  bool is_length = false;         // of a coordinate
  DriveKind::StartState state{};  // of a drive
};
using Targets = std::map<std::string, Known>;

Targets targets_of(const Model& model) {
  Targets targets;
  for (const NamedComponent& coordinate : coordinates_of(model))
    targets.emplace(coordinate.name, Known{Target::coordinate, coordinate.component.is_length});
  for (const Body& body : model.bodies) {
    targets.emplace(body.name, Known{Target::body});
    for (const NamedPoint& point : body.points) targets.emplace(body.name + "." + point.name, Known{Target::point});
  }
  for (const Drive& drive : model.drives) {
    for (const DriveKind::StartState& state : drive.kind->start_states(drive))
      targets.emplace(dotted(drive.name, std::string(state.name)), Known{Target::state, false, state});
    if (drive.gear.elastic()) targets.emplace(drive.name + ".rotor", Known{Target::coordinate});
  }
  for (const AuxiliaryState& state : model.states)
    targets.emplace(state.name, Known{Target::state, false, {state.name, state.unit, {}}});
  if (model.lagrangian.given)
    for (const auto& [name, formula] : model.definitions) targets.emplace(name, Known{Target::definition});
  return targets;
}

std::vector<std::string> target_names(const Model& model) {
  std::vector<std::string> names = coordinate_names(model);
  for (const Body& body : model.bodies) {
    names.push_back(body.name);
    for (const NamedPoint& point : body.points) names.push_back(body.name + "." + point.name);
  }
  for (const Drive& drive : model.drives) {
    for (const DriveKind::StartState& state : drive.kind->start_states(drive))
      if (state.why_not.empty()) names.push_back(dotted(drive.name, std::string(state.name)));
    if (drive.gear.elastic()) names.push_back(drive.name + ".rotor");
  }
  for (const AuxiliaryState& state : model.states) names.push_back(state.name);
  return names;
}

KeySpec value_spec(const Known& known, bool is_speed) {
  const Target target = known.target;
  const bool is_length = known.is_length;
  if (target == Target::state) return {"", "", Holds::number, known.state.unit};
  if (target == Target::definition) return {"", "", Holds::any_value};
  if (target == Target::point) return {"", "", Holds::vector, is_speed ? "m/s" : "m"};
  if (is_speed) return {"", "", Holds::number, is_length ? "m/s" : "rad/s"};
  return {"", "", Holds::number, is_length ? "m" : "1"};
}

void read_value(const YamlEntry& entry, const std::string& path, const Known& known, bool is_speed, StartEntry& start,
                Reading& reading) {
  start.value = read_formula(entry.value, path, reading);
  reading.check_later(start.value, path, value_spec(known, is_speed));
}

// platform: {at: [..], angle: ..}; a list alone is the position (or velocity) of the origin.
void read_body(const YamlEntry& entry, const std::string& path, bool is_speed, StartEntry& start, Reading& reading) {
  const KeyTable table = keys_of(is_speed ? "start: motion" : "start: pose");
  if (entry.value.is_list()) {
    Formula& origin = is_speed ? start.velocity : start.at;
    origin = read_formula(entry.value, path, reading);
    reading.check_later(origin, path, table[0]);
    return;
  }
  const MapReader map(entry.value, table, path, reading);
  if (entry.value.entries.empty())
    reading.diagnostics.add(entry.where, path, fmt::format("is empty; give {}", one_of(key_names(table))));
  if (is_speed) {
    start.velocity = map.formula("velocity");
    start.spin = map.formula("spin");
  } else {
    start.at = map.formula("at");
    start.angle = map.formula("angle");
    start.axis = map.axis("axis");
    const std::string& plane = reading.model.plane;
    if (!map.has("axis") && map.has("angle") && !plane.empty()) start.axis = plane_normal(plane, entry.where);
    if (map.has("axis") && !map.has("angle")) reading.diagnostics.add(entry.where, path, "has an axis but no angle");
  }
}

void read_entry(const YamlEntry& entry, const std::string& path, bool is_speed, const Targets& targets,
                std::vector<StartEntry>& entries, Reading& reading) {
  StartEntry start;
  start.name = entry.key;
  start.where = entry.where;
  const auto found = targets.find(entry.key);
  const Known known = found == targets.end() ? Known{Target::unknown} : found->second;
  const Target target = known.target;
  if (!known.state.why_not.empty()) {
    reading.diagnostics.add(entry.where, path, std::string(known.state.why_not));
    return;
  }
  if (target == Target::state && is_speed) {
    reading.diagnostics.add(entry.where, path,
                            fmt::format("'{}' is a state and has no speed; write it under start.keep", entry.key));
    return;
  }
  if (target == Target::unknown) {
    reading.diagnostics.add(entry.where, path,
                            fmt::format("no coordinate, body or point of a body has this name{}",
                                        near_or_all(entry.key, target_names(reading.model))));
    return;
  }
  if (target == Target::body)
    read_body(entry, path, is_speed, start, reading);
  else
    read_value(entry, path, known, is_speed, start, reading);
  entries.push_back(std::move(start));
}

void read_entries(const YamlNode& node, const std::string& path, bool is_speed, std::vector<StartEntry>& entries,
                  Reading& reading) {
  const Targets targets = targets_of(reading.model);
  for (const YamlEntry& entry : expanded_entries(node, path, reading))
    read_entry(entry, dotted(path, entry.key), is_speed, targets, entries, reading);
}

// Plain entries of `speed` are exact; keep: {…} and near: {…} are allowed among them.
void read_speed(const YamlNode& node, Start& start, Reading& reading) {
  YamlNode plain = node;
  for (const char* key : {"keep", "near"})
    std::erase_if(plain.entries, [&](const YamlEntry& entry) { return entry.key == key; });
  read_entries(plain, "start.speed", true, start.speed_keep, reading);
  if (const YamlNode* keep = node.find("keep"))
    read_entries(*keep, "start.speed.keep", true, start.speed_keep, reading);
  if (const YamlNode* near = node.find("near"))
    read_entries(*near, "start.speed.near", true, start.speed_near, reading);
}

}  // namespace

// Replaces what the file says about the same name.
void read_start_setting(const std::string& name, const YamlNode& value, Reading& reading) {
  const bool is_speed = name.starts_with("start.speed.");
  if (!is_speed && !name.starts_with("start.keep.")) {
    reading.diagnostics.add({}, "--set " + name, "start values are set as start.keep.NAME and start.speed.NAME");
    return;
  }
  Start& start = reading.model.start;
  const std::string key = name.substr(is_speed ? 12 : 11);
  auto &keep = is_speed ? start.speed_keep : start.keep, &near = is_speed ? start.speed_near : start.near;
  for (auto* entries : {&keep, &near})
    std::erase_if(*entries, [&](const StartEntry& entry) { return entry.name == key; });
  read_entry({key, {}, value}, "--set " + name, is_speed, targets_of(reading.model), keep, reading);
}

void read_start(const YamlNode& section, Reading& reading) {
  Start& start = reading.model.start;
  start.where = section.where;
  if (section.is_text() && section.text == "equilibrium") {
    start.equilibrium = true;
    return;
  }
  const MapReader map(section, keys_of("start"), "start", reading);
  start.equilibrium = map.flag("equilibrium").value_or(false);
  if (start.equilibrium && map.has("speed"))
    reading.diagnostics.add(section.where, "start.speed", "an equilibrium is at rest; leave speed out");
  if (const YamlNode* keep = map.find("keep")) read_entries(*keep, "start.keep", false, start.keep, reading);
  if (const YamlNode* near = map.find("near")) read_entries(*near, "start.near", false, start.near, reading);
  if (const YamlNode* speed = map.find("speed")) read_speed(*speed, start, reading);
}

}  // namespace armature::internal
