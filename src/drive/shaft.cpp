#include "drive/shaft.hpp"

#include <fmt/format.h>

#include "model/diagnostics.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {

bool read_shaft(const MapReader& map, Drive& drive, Reading& reading) {
  const std::optional<CoordinateReference> on = read_coordinate_on(map, reading);
  if (on) drive.on = on->name;
  if (on) read_gear(map, on->is_length, drive, reading);
  drive.rotor.inertia = map.formula("rotor_inertia");
  drive.rotor.viscous_friction = map.formula("viscous_friction");
  drive.rotor.coulomb_friction = map.formula("coulomb_friction");
  read_carrier(map, drive, reading);
  return on && on->is_length;
}

void read_command_among(const MapReader& map, std::initializer_list<const char*> quantities, bool is_length,
                        Drive& drive, Reading& reading) {
  int given = 0;
  for (const char* quantity : quantities) {
    const Formula is = map.formula(quantity, is_length);
    if (map.has(quantity) && given++ == 0) drive.command = {quantity, is};
  }
  if (given == 1) return;
  const std::vector<std::string> names(quantities.begin(), quantities.end());
  reading.diagnostics.add(map.where(), map.path(names.front()),
                          fmt::format("{} {}", given == 0 ? "is missing: give" : "give only one:", one_of(names)));
}

void read_limits(const MapReader& map, KeyTable table, Drive& drive, Reading& reading) {
  const YamlNode* node = map.find("limits");
  if (!node) return;
  const MapReader limits(*node, table, map.path("limits"), reading);
  for (const KeySpec& spec : table)
    if (const Formula bound = limits.formula(std::string(spec.name)); bound.given())
      drive.limits.push_back({std::string(spec.name), std::string(spec.unit), bound});
}

Shaft::Shaft(EquationsBuilder& builder, const Drive& drive)
    : builder_(&builder), drive_(&drive), gear_(builder, drive) {}

void Shaft::offer(const std::string& part, std::function<Expression()> make) const {
  builder_->offer(drive_->name + "." + part, [make = std::move(make)] { return Value(make()); });
}

void Shaft::record(const std::string& part, const std::string& unit, Expression value) const {
  builder_->equations().quantities.push_back({drive_->name + "." + part, unit, value});
}

Expression Shaft::after_friction(Expression torque) const {
  return torque - builder_->scalar(drive_->rotor.viscous_friction) * gear_.speed();
}

void Shaft::offer_motion(const std::function<Expression()>& torque) const {
  offer("speed", [this] { return gear_.speed(); });
  offer("torque", [this, torque] { return torque() * gear_.ratio(); });
  if (gear_.changes_torque())
    offer("gear_torque", [this, torque] { return gear_.torque_on_coordinate(after_friction(torque())); });
}

void Shaft::add(Expression torque) const {
  add_rotor(*builder_, *drive_, gear_);
  gear_.apply(after_friction(torque));
  record("torque", gear_.effort_unit(), torque * gear_.ratio());
  if (gear_.changes_torque())
    record("gear_torque", gear_.effort_unit(), gear_.torque_on_coordinate(after_friction(torque)));
  record("speed", "rad/s", gear_.speed());
}

}  // namespace armature::internal
