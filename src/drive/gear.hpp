// The gear between the shaft of a drive and the coordinate x that it moves: rigid, or elastic with backlash; with losses.
#pragma once

#include <optional>

#include "mechanics/builder.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

// Keys of a drive that has a gear, and of the map `elastic`.
namespace gear_format {
using namespace keys;
inline constexpr KeySpec ratio{"gear_ratio", "motor angle per joint angle, of either sign", number, "1", "1"};
inline constexpr KeySpec radius{"radius", "radius of the wheel that drives a length (of a screw: lead/(2 pi))", number,
                                "m", "required on a length"};
inline constexpr KeySpec efficiency{"efficiency", "efficiency of the gear, in both directions", number, "1", "1",
                                    positive};
inline constexpr KeySpec elastic{
    "elastic", "elastic gear, with a rotor coordinate of its own: {stiffness, damping, backlash}", map};
}  // namespace gear_format
FormatSection elastic_format();
void read_gear(const MapReader& map, bool is_length, Drive& drive, Reading& reading);

class Gear {
 public:
  // Elastic: adds the rotor's coordinate, which starts with the gear relaxed, and its torque
  //   k s + c s'   on x,   s = rotor/ratio - x;   with free play b between s = -b/2 and b/2.
  Gear(EquationsBuilder& builder, const Drive& drive);

  Expression ratio() const { return ratio_; }  // shaft angle over x; 1/m where x is a length
  Expression angle() const { return angle_; }  // of the shaft
  Expression speed() const { return speed_; }
  std::string effort_unit() const { return of_length_ ? "N" : "N m"; }  // on x

  // What it passes of the machine's torque, at the shaft.
  Expression passed(Expression torque) const;
  // What it passes to x differs from the machine's torque: through a spring, or less its losses.
  bool changes_torque() const;
  Expression torque_on_coordinate(Expression torque) const;
  // Applies the machine's torque to the shaft; what the gear loses of it is heat of friction.
  void apply(Expression torque) const;

 private:
  void add_elastic(const NamedCoordinate& x);

  EquationsBuilder* builder_;
  const Drive* drive_;
  Expression ratio_, angle_, speed_;
  std::optional<Expression> spring_;  // torque of an elastic gear on x
  bool of_length_ = false;
};

}  // namespace armature::internal
