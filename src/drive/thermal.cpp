#include "drive/thermal.hpp"

namespace armature::internal {

namespace {

namespace winding_keys {
using namespace keys;
constexpr KeySpec table[] = {
    {"heat_capacity", "heat capacity of the winding", number, "J/K", "required", positive},
    {"thermal_resistance", "thermal resistance from the winding to its surroundings, or to the housing", number, "K/W",
     "required", positive},
    {"housing_heat_capacity", "heat capacity of the housing, a second node between winding and surroundings", number,
     "J/K", "no housing", positive},
    {"housing_thermal_resistance", "thermal resistance from the housing to its surroundings", number, "K/W",
     "required with a housing", positive},
    {"ambient", "ambient temperature, and initial temperature of the winding", number, "K", "293.15 K"},
    {"temperature_coefficient", "relative increase of the resistance per kelvin above ambient", number, "K^-1", "0"},
};
}  // namespace winding_keys

}  // namespace

FormatSection winding_format() { return {"winding", "the winding's temperature", winding_keys::table}; }

void read_winding(const MapReader& map, Drive& drive, Reading& reading) {
  read_values_of(map, "winding", winding_keys::table, drive, reading);
  const bool capacity = drive.values["winding.housing_heat_capacity"].given(),
             resistance = drive.values["winding.housing_thermal_resistance"].given();
  if (capacity != resistance)
    reading.diagnostics.add(map.find("winding")->where,
                            map.path(capacity ? "winding.housing_thermal_resistance" : "winding.housing_heat_capacity"),
                            "is missing: a housing has both a heat capacity and a thermal resistance");
}

WindingHeat::WindingHeat(EquationsBuilder& builder, const Drive& drive) : builder_(&builder), drive_(&drive) {
  ambient_ = builder.scalar(drive.values["winding.ambient"], 293.15);
  if (given()) rise_ = builder.add_state(drive.name + ".temperature_rise", "K", drive.name);
  if (has_housing()) housing_ = builder.add_state(drive.name + ".housing_rise", "K", drive.name);
}

Expression WindingHeat::warm(Expression resistance) const {
  if (!given()) return resistance;
  return resistance * (1.0 + builder_->scalar(drive_->values["winding.temperature_coefficient"]) * rise_);
}

Expression WindingHeat::to_outside() const {
  return (rise_ - housing_) / builder_->scalar(drive_->values["winding.thermal_resistance"]);
}

Expression WindingHeat::rise_rate(Expression copper_loss, Expression iron_loss) const {
  const Expression heating = has_housing() ? copper_loss : copper_loss + iron_loss;
  return (heating - to_outside()) / builder_->scalar(drive_->values["winding.heat_capacity"]);
}

Expression WindingHeat::housing_rate(Expression iron_loss) const {
  const Expression cooling = housing_ / builder_->scalar(drive_->values["winding.housing_thermal_resistance"]);
  return (to_outside() + iron_loss - cooling) / builder_->scalar(drive_->values["winding.housing_heat_capacity"]);
}

void WindingHeat::close(Expression copper_loss, Expression iron_loss) {
  if (given()) builder_->set_rate(rise_, rise_rate(copper_loss, iron_loss));
  if (!has_housing()) return;
  builder_->set_rate(housing_, housing_rate(iron_loss));
  builder_->equations().quantities.push_back({drive_->name + ".housing_temperature", "K", housing_temperature()});
}

}  // namespace armature::internal
