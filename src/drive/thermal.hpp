// The temperature of a winding, heated by its losses and cooled by its surroundings:
//
//   one node    C T' = P_copper + P_iron - (T - ambient)/R
//   two nodes   C T' = P_copper - (T - H)/R,   C_h H' = (T - H)/R + P_iron - (H - ambient)/R_h      H: the housing
//
// The states are the rises over ambient, which start at zero. The keys are those of the map `winding`.
#pragma once

#include "mechanics/builder.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

namespace thermal_format {
inline constexpr KeySpec winding{
    "winding",
    "thermal model of the winding: {heat_capacity, thermal_resistance, housing_heat_capacity, "
    "housing_thermal_resistance, ambient, temperature_coefficient}",
    Holds::map};
}  // namespace thermal_format
FormatSection winding_format();  // of the map `winding`
void read_winding(const MapReader& map, Drive& drive, Reading& reading);

class WindingHeat {
 public:
  WindingHeat(EquationsBuilder& builder, const Drive& drive);

  bool given() const { return drive_->values["winding.heat_capacity"].given(); }
  bool has_housing() const { return drive_->values["winding.housing_heat_capacity"].given(); }
  Expression temperature() const { return ambient_ + rise_; }
  Expression housing_temperature() const { return ambient_ + housing_; }
  Expression warm(Expression resistance) const;  // at the winding's temperature

  Expression rise_rate(Expression copper_loss, Expression iron_loss = 0.0) const;
  Expression housing_rate(Expression iron_loss = 0.0) const;
  void close(Expression copper_loss, Expression iron_loss = 0.0);  // rates of the states, and the housing's channel

 private:
  Expression to_outside() const;  // W

  EquationsBuilder* builder_;
  const Drive* drive_;
  Expression ambient_, rise_ = 0.0, housing_ = 0.0;
};

}  // namespace armature::internal
