// Controllers, and the motion wanted of inverse dynamics.
#include <algorithm>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/typed_items.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

Controller named(const YamlEntry& item, const std::string& type) {
  Controller controller;
  controller.name = item.key;
  controller.where = item.where;
  controller.type = type;
  return controller;
}

void read_limits(const MapReader& map, Controller& controller, Reading& reading) {
  const YamlNode* limits = map.find("limits");
  if (!limits) return;
  const MapReader limit(*limits, keys_of("controller limits"), map.path("limits"), reading);
  controller.lower = limit.formula("lower");
  controller.upper = limit.formula("upper");
}

void read_sampling(const MapReader& map, Controller& controller, Reading& reading) {
  const YamlNode* sampled = map.find("sampled");
  if (!sampled) return;
  const MapReader sampling(*sampled, keys_of("sampled"), map.path("sampled"), reading);
  controller.period = sampling.formula("period");
  controller.delay = sampling.formula("delay");
  controller.quantization = sampling.formula("quantization");
}

void read_controller_formula(const YamlEntry& item, const MapReader& map, Reading& reading) {
  Controller controller = named(item, "formula");
  controller.is = map.formula("is");
  read_limits(map, controller, reading);
  read_sampling(map, controller, reading);
  reading.model.controllers.push_back(std::move(controller));
}

void read_pid(const YamlEntry& item, const MapReader& map, Reading& reading) {
  Controller controller = named(item, "pid");
  controller.measure = map.formula("measure");
  controller.target = map.formula("target");
  controller.kp = map.formula("kp");
  controller.ki = map.formula("ki");
  controller.kd = map.formula("kd");
  controller.tracking_time = map.formula("tracking_time");
  if (map.text("type") == "pd" && map.has("ki"))
    reading.diagnostics.add(map.find("ki")->where, map.path("ki"), "a pd controller has no integral; write type: pid");
  if (controller.target.given() && controller.measure.given()) {
    static constexpr KeySpec error{"", "", Holds::number, "", "", ValueRange::any, true};
    reading.check_later(controller.target - controller.measure, map.path("target"), error);
  }
  read_limits(map, controller, reading);
  read_sampling(map, controller, reading);
  reading.model.controllers.push_back(std::move(controller));
}

void read_on(const MapReader& map, Controller& controller, Reading& reading) {
  for (const CoordinateReference& on : read_coordinates(map, "on", reading)) controller.on.push_back(on.name);
}

void read_gravity_compensation(const YamlEntry& item, const MapReader& map, Reading& reading) {
  Controller controller = named(item, "gravity_compensation");
  read_on(map, controller, reading);
  read_sampling(map, controller, reading);
  reading.model.controllers.push_back(std::move(controller));
}

void read_computed_torque(const YamlEntry& item, const MapReader& map, Reading& reading) {
  Controller controller = named(item, "computed_torque");
  read_on(map, controller, reading);
  controller.target = map.formula("target");
  controller.kp = map.formula("kp");
  controller.kd = map.formula("kd");
  read_sampling(map, controller, reading);
  reading.model.controllers.push_back(std::move(controller));
}

// One without a type stands for its name, so that its use is not reported as another mistake.
void name_broken_controllers(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : section.entries) {
    const auto is_known = [&](const Controller& known) { return known.name == entry.key; };
    if (std::ranges::any_of(reading.model.controllers, is_known) || reading.diagnostics.empty()) continue;
    reading.model.controllers.push_back(named(entry, "formula"));
    reading.model.controllers.back().is = number_formula(0);
  }
}

}  // namespace

std::vector<CoordinateReference> read_coordinates(const MapReader& map, const std::string& key, Reading& reading) {
  std::vector<CoordinateReference> coordinates;
  const YamlNode* node = map.find(key);
  if (!node) return coordinates;
  if (!node->is_list()) reading.diagnostics.add(node->where, map.path(key), "expected a list of coordinates");
  for (const YamlNode& item : node->items)
    if (const auto coordinate = read_coordinate(item, map.path(key), reading)) coordinates.push_back(*coordinate);
  return coordinates;
}

void read_controllers(const YamlNode& section, Reading& reading) {
  read_typed_items(section, "controllers", "controller",
                   {{"formula", read_controller_formula},
                    {"pd", read_pid},
                    {"pid", read_pid},
                    {"gravity_compensation", read_gravity_compensation},
                    {"computed_torque", read_computed_torque}},
                   reading);
  name_broken_controllers(section, reading);
}

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
