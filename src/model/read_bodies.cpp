// Bodies and named points, on bodies and on the ground.
#include <set>

#include <fmt/format.h>

#include "model/for_loop.hpp"
#include "model/joint_components.hpp"
#include "model/read_sections.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

constexpr KeySpec point_spec{"", "", Holds::vector, "m"};

void take_point_name(const YamlEntry& entry, const std::string& path, const std::string& owner,
                     std::set<std::string>& taken, Reading& reading) {
  if (owner.empty()) return reading.take_name(entry.key, "point", entry.where, path);
  if (!reading.check_word(entry.key, entry.where, path)) return;
  if (entry.key == "x" || entry.key == "y" || entry.key == "z")
    reading.diagnostics.add(entry.where, path, "a point cannot be called x, y or z: these are components");
  if (!taken.insert(entry.key).second)
    reading.diagnostics.add(entry.where, path, "another point already has this name");
}

void read_rigid(const MapReader& map, Body& body, Reading& reading) {
  body.mass = map.formula("mass");
  body.center = map.formula("center");
  if (const YamlNode* inertia = map.find("inertia"))
    body.inertia = read_inertia(*inertia, body.mass, map.path("inertia"), reading);
}

// A point may not hide a coordinate of its beam.
void check_point_names(const Body& body, const std::string& path, Reading& reading) {
  if (!body.beam) return;
  for (const JointComponent& component : components_of(*body.beam))
    for (const NamedPoint& point : body.points)
      if (point.name == component.name)
        reading.diagnostics.add(point.where, dotted(path, point.name), "a coordinate of the beam has this name");
}

}  // namespace

std::vector<NamedPoint> read_named_points(const YamlNode& section, const std::string& path, const std::string& owner,
                                          Reading& reading) {
  std::vector<NamedPoint> points;
  std::set<std::string> taken;
  for (const YamlEntry& entry : expanded_entries(section, path, reading)) {
    const std::string point_path = dotted(path, entry.key);
    take_point_name(entry, point_path, owner, taken, reading);
    const Formula at = read_formula(entry.value, point_path, reading);
    reading.check_later(at, point_path, point_spec);
    points.push_back({entry.key, at, entry.where});
  }
  return points;
}

void read_points(const YamlNode& section, Reading& reading) {
  reading.model.points = read_named_points(section, "points", "", reading);
}

void read_bodies(const YamlNode& section, Reading& reading) {
  for (const YamlEntry& entry : expanded_entries(section, "bodies", reading)) {
    const std::string path = dotted("bodies", entry.key);
    reading.take_name(entry.key, "body", entry.where, path);
    const YamlNode *beam = entry.value.find("beam"), *solid = entry.value.find("solid");
    const MapReader map(entry.value,
                        keys_of(beam    ? "bodies: beam"
                                : solid ? "bodies: solid"
                                        : "bodies"),
                        path, reading);
    Body body;
    body.name = entry.key;
    body.where = entry.where;
    if (beam)
      body.beam = read_beam(*beam, map.path("beam"), reading);
    else if (solid)
      read_solid(*solid, map.path("solid"), body, reading);
    else
      read_rigid(map, body, reading);
    if (const YamlNode* shape = map.find("shape")) body.shapes = read_shapes(*shape, map.path("shape"), reading);
    if (const YamlNode* points = map.find("points"))
      body.points = read_named_points(*points, map.path("points"), body.name, reading);
    check_point_names(body, map.path("points"), reading);
    reading.model.bodies.push_back(std::move(body));
  }
}

}  // namespace armature::internal
