// The gear between a motor's shaft and the coordinate x that it drives: rigid, or elastic with backlash.
#pragma once

#include <optional>

#include "mechanics/builder.hpp"

namespace armature::internal {

struct Gear {
  Expression ratio;                  // shaft angle over x; 1/m where x is a length
  Expression angle, speed;           // of the shaft
  std::optional<Expression> torque;  // what an elastic gear passes to x
  bool of_length = false;
};

// Elastic: adds the rotor's coordinate, which starts with the gear relaxed, and its torque
//   k s + c s'   on x,   s = rotor/ratio - x;   with free play b between s = -b/2 and b/2.
Gear add_gear(EquationsBuilder& builder, const DcMotor& motor);

// Inertia and dry friction of the rotor, and the loss of its viscous friction (whose torque the motor takes off its own).
// One that a body carries turns with n.w + speed, n its axis and w the body's angular
// velocity: it then couples with that body, and where the body turns about other axes its spin h adds the moment -h w x n.
// The inertia of the body is without the rotor's about its axis.
void add_rotor(EquationsBuilder& builder, const DcMotor& motor, const Gear& gear);

}  // namespace armature::internal
