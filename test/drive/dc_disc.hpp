// A disc of 0.02 kg m^2 without gravity, turned by a DC motor through a gear of ratio r = -4.
#pragma once

#include "support/moment.hpp"

namespace armature::internal {

namespace dc_letters {
inline constexpr double K = 0.5, R = 2, d = 0.01, r = -4, J = 0.02 + r * r * 1e-3;
}
inline const std::string dc_constants =
    "torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, viscous_friction: 0.01, gear_ratio: -4, ";

inline std::string dc_disc(const std::string& motor,
                           const std::string& more = "simulate: {end: 1, record: 1 ms, rtol: 1e-10}") {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\ndrives:\n  m: {type: dc_motor, on: turn, " +
         motor + "}\n" + more;
}

}  // namespace armature::internal
