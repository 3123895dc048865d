// The section `lagrangian`: coordinates, definitions, energies, forces, constraints and what is drawn.
#include <algorithm>

#include <fmt/format.h>

#include "expression/units.hpp"
#include "model/for_loop.hpp"
#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

constexpr KeySpec moving_value{"", "", Holds::any_value, "", "", ValueRange::any, true};

std::optional<Dimension> dimension_of_unit(const std::string& unit) {
  try {
    const Formula formula = parse_formula("1 " + unit, {});
    if (formula.root->kind == Syntax::Kind::number) return formula.root->dimension;
  } catch (const FormulaError&) {
  }
  return std::nullopt;
}

// q1: {unit: rad, is: crank angle}; q1: rad; q1 alone is an angle.
void read_coordinate(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("lagrangian.coordinates", entry.key);
  reading.take_name(entry.key, "coordinate", entry.where, path);
  LagrangianSection::Coordinate coordinate;
  coordinate.name = entry.key;
  coordinate.where = entry.where;
  coordinate.unit = "rad";
  if (entry.value.is_text()) {
    coordinate.unit = entry.value.text;
  } else {
    const MapReader map(entry.value, keys_of("lagrangian: coordinate"), path, reading);
    coordinate.unit = map.text("unit").value_or("rad");
    coordinate.is = map.text("is").value_or("");
  }
  if (const std::optional<Dimension> dimension = dimension_of_unit(coordinate.unit)) {
    coordinate.is_angle = *dimension == dimensionless;
    coordinate.is_length = *dimension == length_dimension;
    if (*dimension == dimensionless) coordinate.unit = "rad";
    const bool is_si = unit_of(coordinate.unit).factor == 1;
    if (!is_si)
      reading.diagnostics.add(entry.value.where, path,
                              fmt::format("coordinates are in SI units; '{}' is not one", coordinate.unit));
  } else {
    reading.diagnostics.add(entry.value.where, path, fmt::format("'{}' is not a unit", coordinate.unit));
  }
  reading.model.lagrangian.coordinates.push_back(std::move(coordinate));
}

void read_coordinates(const YamlNode& node, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(node, "lagrangian.coordinates", reading))
    read_coordinate(entry, reading);
  if (reading.model.lagrangian.coordinates.empty())
    reading.diagnostics.add(node.where, "lagrangian.coordinates", "there are no coordinates: nothing can move");
}

void read_helpers(const YamlNode& node, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(node, "lagrangian.define", reading)) {
    const std::string path = dotted("lagrangian.define", entry.key);
    reading.take_name(entry.key, "definition", entry.where, path);
    const Formula formula = read_formula(entry.value, path, reading);
    if (formula.given()) reading.check_later(name_formula(entry.key, formula.where), path, moving_value);
    reading.model.definitions.emplace_back(entry.key, formula);
  }
}

std::vector<std::string> names_that_move(const Model& model) {
  std::vector<std::string> names;
  for (const auto& coordinate : model.lagrangian.coordinates) names.push_back(coordinate.name);
  for (const auto& [name, formula] : model.definitions) names.push_back(name);
  return names;
}

void read_forces_on(const YamlNode& node, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(node, "lagrangian.forces", reading)) {
    const std::string path = dotted("lagrangian.forces", entry.key);
    const std::vector<std::string> names = names_that_move(reading.model);
    if (std::find(names.begin(), names.end(), entry.key) == names.end())
      reading.diagnostics.add(
          entry.where, path,
          fmt::format("no coordinate or definition has this name{}", did_you_mean(entry.key, names)));
    const Formula formula = read_formula(entry.value, path, reading);
    reading.check_later(formula, path, moving_value);
    reading.model.lagrangian.forces.push_back({entry.key, entry.where, formula});
  }
}

void read_rows(const YamlNode& node, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(node, "lagrangian.constraints", reading)) {
    const std::string path = dotted("lagrangian.constraints", entry.key);
    reading.take_name(entry.key, "constraint", entry.where, path);
    const Formula formula = read_formula(entry.value, path, reading);
    reading.check_later(formula, path, moving_value);
    reading.model.lagrangian.constraints.push_back({entry.key, entry.where, formula});
  }
}

// crank: [[0, 0], A]: a list of points; a point is a list of 2 or 3 or a formula.
void read_drawing(const YamlEntry& entry, Reading& reading) {
  const std::string path = dotted("lagrangian.draw", entry.key);
  LagrangianSection::Drawing drawing{entry.key, entry.where, {}};
  if (!entry.value.is_list()) {
    reading.diagnostics.add(entry.value.where, path, "expected a list of points, such as [[0, 0], A]");
    return;
  }
  for (const YamlNode& item : entry.value.items) {
    const Formula formula = read_formula(item, path, reading);
    if (!formula.given()) return;
    reading.check_later(formula, path, moving_value);
    drawing.points.push_back(formula);
  }
  reading.model.lagrangian.draw.push_back(std::move(drawing));
}

bool has_bodies(const Model& model) { return !model.bodies.empty() || !model.joints.empty() || !model.points.empty(); }

}  // namespace

void read_lagrangian(const YamlNode& section, Reading& reading) {
  if (section.kind == YamlNode::Kind::null) return;
  if (has_bodies(reading.model))
    return reading.diagnostics.add(section.where, "lagrangian",
                                   "a model is given by bodies and joints or by a Lagrangian, not by both");
  LagrangianSection& lagrangian = reading.model.lagrangian;
  lagrangian.given = true;
  lagrangian.where = section.where;
  const MapReader map(section, keys_of("lagrangian"), "lagrangian", reading);
  if (const YamlNode* node = map.find("coordinates")) read_coordinates(*node, reading);
  if (const YamlNode* node = map.find("define")) read_helpers(*node, reading);
  lagrangian.kinetic = map.formula("kinetic");
  lagrangian.potential = map.formula("potential");
  lagrangian.dissipation = map.formula("dissipation");
  if (const YamlNode* node = map.find("forces")) read_forces_on(*node, reading);
  if (const YamlNode* node = map.find("constraints")) read_rows(*node, reading);
  if (const YamlNode* node = map.find("draw"))
    for (const YamlEntry& entry : expanded_entries(*node, "lagrangian.draw", reading)) read_drawing(entry, reading);
}

}  // namespace armature::internal
