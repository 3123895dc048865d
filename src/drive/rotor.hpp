// What turns with the shaft of a drive: its inertia and friction.
#pragma once

#include "drive/gear.hpp"

namespace armature::internal {

// Keys of a drive that has a rotor, and of the map `rotor`.
namespace rotor_format {
using namespace keys;
inline constexpr KeySpec inertia{"rotor_inertia", "inertia of the rotor", number, "kg*m^2", "0", not_negative};
inline constexpr KeySpec rotor{"rotor", "rotor carried by a moving body: {carried_by, axis}", map, "", "on the ground"};
}  // namespace rotor_format
FormatSection rotor_map_format();
void read_carrier(const MapReader& map, Drive& drive, Reading& reading);  // the map `rotor`

// Inertia and dry friction of the rotor, and the loss of its viscous friction (whose torque the machine takes off its own).
// One that a body carries turns with n.w + speed, n its axis and w the body's angular
// velocity: it then couples with that body, and where the body turns about other axes its spin h adds the moment -h w x n.
// The inertia of the body is without the rotor's about its axis.
void add_rotor(EquationsBuilder& builder, const Drive& drive, const Gear& gear);

}  // namespace armature::internal
