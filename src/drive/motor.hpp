// DC motors on coordinates. With the shaft's speed w, the current i and the voltage V at the terminals
//
//   L di/dt = V - R i - K_e w                 (L = 0: i = (V - K_e w)/R)
//   J dw/dt = K_m i - d w - c sign(w) - load
//
// A rigid gear makes w = r x' of the coordinate x (r: gear ratio, over the radius of a wheel where x is a length), so that
// the rotor adds r^2 J to the coordinate's inertia; an elastic gear gives the rotor a coordinate of its own.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Gives formulas the names motor.current, .voltage, .torque, .speed, .power (and .temperature, .rotor, .gear_torque where it has them),
// and adds the motors' torques, inertia, states and energies.
void add_drives(EquationsBuilder& builder);

}  // namespace armature::internal
