// Motors and their gears.
#include <fmt/format.h>

#include "model/read_datasheet.hpp"
#include "model/read_sections.hpp"
#include "model/typed_items.hpp"

namespace armature::internal {
namespace {

void read_constants(const MapReader& map, DcMotor& motor, Reading& reading) {
  motor.torque_constant = map.formula("torque_constant");
  motor.back_emf_constant = map.formula("back_emf_constant");
  motor.resistance = map.formula("resistance");
  motor.viscous_friction = map.formula("viscous_friction");
  if (map.has("datasheet")) {
    for (const char* key : {"torque_constant", "back_emf_constant", "resistance", "viscous_friction"})
      if (map.has(key))
        reading.diagnostics.add(map.find(key)->where, map.path(key), "follows from the data sheet; leave it out");
    return read_datasheet(map, motor, reading);
  }
  for (const char* key : {"torque_constant", "resistance"})
    if (!map.has(key))
      reading.diagnostics.add(map.where(), "drives." + motor.name,
                              fmt::format("'{}' is missing (or give a datasheet)", key));
  if (!motor.back_emf_constant.given()) motor.back_emf_constant = motor.torque_constant;
}

void read_gear(const MapReader& map, bool is_length, DcMotor& motor, Reading& reading) {
  motor.gear_ratio = map.formula("gear_ratio");
  motor.radius = map.formula("radius");
  motor.efficiency = map.formula("efficiency");
  if (is_length && !map.has("radius"))
    reading.diagnostics.add(map.where(), map.path("radius"),
                            "is missing: how far the coordinate moves per radian of the gear's output");
  if (!is_length && map.has("radius"))
    reading.diagnostics.add(map.find("radius")->where, map.path("radius"),
                            "belongs to a length; this coordinate is an angle");
  if (const YamlNode* elastic = map.find("elastic")) {
    const MapReader gear(*elastic, keys_of("elastic"), map.path("elastic"), reading);
    motor.stiffness = gear.formula("stiffness", is_length);
    motor.damping = gear.formula("damping", is_length);
    motor.backlash = gear.formula("backlash", is_length);
  }
}

void read_rotor(const YamlNode& node, const std::string& path, DcMotor& motor, Reading& reading) {
  const MapReader map(node, keys_of("rotor"), path, reading);
  motor.spins_about = map.axis("axis");
  motor.carried_by = map.text("carried_by").value_or("");
  std::vector<std::string> bodies;
  for (const Body& body : reading.model.bodies) bodies.push_back(body.name);
  if (map.has("carried_by") && std::find(bodies.begin(), bodies.end(), motor.carried_by) == bodies.end())
    reading.diagnostics.add(
        map.find("carried_by")->where, map.path("carried_by"),
        fmt::format("there is no body '{}'{}", motor.carried_by, did_you_mean(motor.carried_by, bodies)));
}

void read_winding(const YamlNode& node, const std::string& path, DcMotor& motor, Reading& reading) {
  const MapReader map(node, keys_of("winding"), path, reading);
  motor.winding = {map.formula("heat_capacity"), map.formula("thermal_resistance"), map.formula("ambient"),
                   map.formula("temperature_coefficient")};
}

void read_command(const MapReader& map, bool is_length, DcMotor& motor, Reading& reading) {
  motor.voltage = map.formula("voltage");
  motor.current = map.formula("current");
  motor.torque = map.formula("torque", is_length);
  const int given = map.has("voltage") + map.has("current") + map.has("torque");
  if (given != 1)
    reading.diagnostics.add(map.where(), map.path("voltage"),
                            given == 0 ? "is missing: a motor needs voltage, current or torque"
                                       : "give one of voltage, current and torque");
}

void read_dc_motor(const YamlEntry& item, const MapReader& map, Reading& reading) {
  const YamlNode* on = map.find("on");
  const auto coordinate = on ? read_coordinate(*on, map.path("on"), reading) : std::nullopt;
  const bool is_length = coordinate && coordinate->is_length;
  DcMotor motor;
  motor.name = item.key;
  motor.where = item.where;
  motor.on = coordinate ? coordinate->name : "";
  read_command(map, is_length, motor, reading);
  read_constants(map, motor, reading);
  if (coordinate) read_gear(map, is_length, motor, reading);
  motor.inductance = map.formula("inductance");
  motor.rotor_inertia = map.formula("rotor_inertia");
  motor.coulomb_friction = map.formula("coulomb_friction");
  if (const YamlNode* limits = map.find("limits")) {
    const MapReader limit(*limits, keys_of("drive limits"), map.path("limits"), reading);
    motor.voltage_limit = limit.formula("voltage");
    motor.current_limit = limit.formula("current");
    motor.speed_limit = limit.formula("speed");
  }
  if (const YamlNode* rotor = map.find("rotor")) read_rotor(*rotor, map.path("rotor"), motor, reading);
  if (const YamlNode* winding = map.find("winding")) read_winding(*winding, map.path("winding"), motor, reading);
  reading.model.motors.push_back(std::move(motor));
}

}  // namespace

void read_drives(const YamlNode& section, Reading& reading) {
  read_typed_items(section, "drives", "drive", {{"dc_motor", read_dc_motor}}, reading);
}

}  // namespace armature::internal
