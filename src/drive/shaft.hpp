// The mechanical side of a drive that turns a shaft: a gear, a rotor with friction, and their signals. The machine says which torque it
// makes.
#pragma once

#include <initializer_list>

#include "drive/gear.hpp"
#include "drive/rotor.hpp"

namespace armature::internal {

// Keys of a drive with a shaft, besides those of gear.hpp and rotor.hpp.
namespace shaft_format {
using namespace keys;
inline constexpr KeySpec on{"on", "the driven coordinate", text, "", "required"};
inline constexpr KeySpec viscous_friction{
    "viscous_friction", "viscous friction torque per speed, at the motor shaft", number, "N*m*s", "0", not_negative};
inline constexpr KeySpec coulomb_friction{
    "coulomb_friction", "Coulomb friction torque at the motor shaft", number, "N*m", "0", not_negative};
inline constexpr KeySpec torque{"torque", "torque or force commanded on the coordinate", number, "N*m or N", "", any,
                                moves};
}  // namespace shaft_format

// Reads on, gear, rotor and friction; whether the coordinate is a length.
bool read_shaft(const MapReader& map, Drive& drive, Reading& reading);
// Exactly one of these keys is the command.
void read_command_among(const MapReader& map, std::initializer_list<const char*> quantities, bool is_length,
                        Drive& drive, Reading& reading);
// The map `limits`, by its keys.
void read_limits(const MapReader& map, KeyTable table, Drive& drive, Reading& reading);

// Signals of every drive with a shaft.
inline constexpr DriveKind::Signal torque_signal{"torque"}, gear_torque_signal{"gear_torque"},
    speed_signal{"speed", true, "rad/s"}, rotor_signal{"rotor", true, "rad"};

class Shaft {
 public:
  Shaft(EquationsBuilder& builder, const Drive& drive);

  Expression angle() const { return gear_.angle(); }
  Expression speed() const { return gear_.speed(); }
  Expression ratio() const { return gear_.ratio(); }

  // A signal of the drive, for formulas; and one that is recorded.
  void offer(const std::string& part, std::function<Expression()> make) const;
  void record(const std::string& part, const std::string& unit, Expression value) const;

  // `torque` is the machine's own, at the shaft.
  void offer_motion(const std::function<Expression()>& torque) const;  // speed, torque, gear_torque
  void add(
      Expression torque) const;  // the torque less viscous friction through the gear, the rotor; records the motion

 private:
  Expression after_friction(Expression torque) const;

  EquationsBuilder* builder_;
  const Drive* drive_;
  Gear gear_;
};

}  // namespace armature::internal
