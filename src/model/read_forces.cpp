// Springs, dampers, forces and torques.
#include <fmt/format.h>

#include "model/read_sections.hpp"
#include "model/typed_items.hpp"

namespace armature::internal {
namespace {

void read_spring(const YamlEntry& item, const MapReader& map, Reading& reading) {
  SpringDamper spring;
  spring.name = item.key;
  spring.where = item.where;
  read_between(map, spring.a, spring.b, reading);
  spring.stiffness = map.formula("stiffness");
  spring.damping = map.formula("damping");
  spring.length = map.formula("length");
  reading.model.springs.push_back(std::move(spring));
}

std::optional<CoordinateReference> coordinate_on(const MapReader& map, Reading& reading) {
  const YamlNode* on = map.find("on");
  return on ? read_coordinate(*on, map.path("on"), reading) : std::nullopt;
}

void read_torsion_spring(const YamlEntry& item, const MapReader& map, Reading& reading) {
  const std::optional<CoordinateReference> on = coordinate_on(map, reading);
  const bool is_length = on && on->is_length;
  CoordinateSpring spring;
  spring.name = item.key;
  spring.where = item.where;
  spring.on = on ? on->name : "";
  spring.stiffness = map.formula("stiffness", is_length);
  spring.damping = map.formula("damping", is_length);
  spring.rest = map.formula("rest", is_length);
  reading.model.coordinate_springs.push_back(std::move(spring));
}

// What force and torque share: where it acts, and along whose axes.
BodyForce read_body_force(const YamlEntry& item, const MapReader& map, Reading& reading) {
  BodyForce force;
  force.name = item.key;
  force.where = item.where;
  force.in_body = map.choice("frame").value_or("ground") == "body";
  const YamlNode* on = map.find("on");
  if (!on) return force;
  force.on = read_attachment(*on, map.path("on"), reading).value_or(Attachment{});
  if (force.on.body == "ground")
    reading.diagnostics.add(on->where, map.path("on"), "is on the ground, which does not move; name a place on a body");
  return force;
}

void read_force(const YamlEntry& item, const MapReader& map, Reading& reading) {
  BodyForce force = read_body_force(item, map, reading);
  force.force = map.formula("is");
  reading.model.body_forces.push_back(std::move(force));
}

void read_torque(const YamlEntry& item, const MapReader& map, Reading& reading) {
  BodyForce force = read_body_force(item, map, reading);
  force.torque = map.formula("is");
  reading.model.body_forces.push_back(std::move(force));
}

void read_effort(const YamlEntry& item, const MapReader& map, Reading& reading) {
  const std::optional<CoordinateReference> on = coordinate_on(map, reading);
  reading.model.efforts.push_back({item.key, item.where, on ? on->name : "", map.formula("is", on && on->is_length)});
}

}  // namespace

void read_forces(const YamlNode& section, Reading& reading) {
  read_typed_items(section, "forces", "force",
                   {{"spring", read_spring},
                    {"torsion_spring", read_torsion_spring},
                    {"force", read_force},
                    {"torque", read_torque},
                    {"effort", read_effort}},
                   reading);
}

}  // namespace armature::internal
