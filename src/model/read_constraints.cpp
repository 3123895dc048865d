// Constraints besides joints. Gears and racks become expressions that must be zero.
#include <fmt/format.h>

#include "model/formula_tree.hpp"
#include "model/read_sections.hpp"
#include "model/typed_items.hpp"

namespace armature::internal {
namespace {

void read_distance(const YamlEntry& item, const MapReader& map, Reading& reading) {
  DistanceConstraint constraint;
  constraint.name = item.key;
  constraint.where = item.where;
  constraint.length = map.formula("length");
  read_between(map, constraint.a, constraint.b, reading);
  reading.model.distances.push_back(std::move(constraint));
}

void add_prescribed(const YamlEntry& item, const std::string& kind, const Formula& zero, Reading& reading) {
  reading.model.prescribed.push_back({item.key, item.where, kind, zero});
}

// left - (factor right + offset)
Formula coupling(const std::string& left, const Formula& factor, const std::string& right, const Formula& offset,
                 Location where) {
  const Formula line = factor * name_formula(right, where);
  return name_formula(left, where) - (offset.given() ? line + offset : line);
}

void read_gear(const YamlEntry& item, const MapReader& map, Reading& reading) {
  const std::optional<CoordinatePair> pair = read_coordinate_pair(map, reading);
  const Formula ratio = map.formula("ratio"), offset = map.formula("offset");
  if (pair && ratio.given())
    add_prescribed(item, "gear", coupling(pair->a.name, ratio, pair->b.name, offset, item.where), reading);
}

void read_rack(const YamlEntry& item, const MapReader& map, Reading& reading) {
  const std::optional<CoordinatePair> pair = read_coordinate_pair(map, reading);
  const Formula radius = map.formula("radius"), offset = map.formula("offset");
  if (pair && (pair->a.is_length || !pair->b.is_length)) {
    reading.diagnostics.add(item.where, map.path("between"), "a rack couples an angle with a length: [angle, slide]");
    return;
  }
  if (pair && radius.given())
    add_prescribed(item, "rack", coupling(pair->b.name, radius, pair->a.name, offset, item.where), reading);
}

void read_prescribed(const YamlEntry& item, const MapReader& map, Reading& reading) {
  add_prescribed(item, "prescribed", map.formula("zero"), reading);
}

void read_rolling(const YamlEntry& item, const MapReader& map, Reading& reading) {
  auto surfaces = read_surfaces(map, reading);
  if (!surfaces) return;
  RollingConstraint rolling;
  rolling.name = item.key, rolling.where = item.where;
  rolling.surfaces = {std::move(surfaces->first), std::move(surfaces->second)};
  reading.model.rolling.push_back(std::move(rolling));
}

void read_knife_edge(const YamlEntry& item, const MapReader& map, Reading& reading) {
  RollingConstraint edge;
  edge.name = item.key, edge.where = item.where;
  edge.across = map.axis("across");
  if (read_between(map, edge.a, edge.b, reading)) reading.model.rolling.push_back(std::move(edge));
}

}  // namespace

void read_constraints(const YamlNode& section, Reading& reading) {
  const auto type = [&](const std::string& name, auto read) {
    return ItemType{name, keys_of("constraints: " + name),
                    [&reading, read](const YamlEntry& item, const MapReader& map) { read(item, map, reading); }};
  };
  read_typed_items(
      section, "constraints", "constraint",
      {type("distance", read_distance), type("gear", read_gear), type("rack", read_rack),
       type("prescribed", read_prescribed), type("rolling", read_rolling), type("knife_edge", read_knife_edge)},
      reading);
}

}  // namespace armature::internal
