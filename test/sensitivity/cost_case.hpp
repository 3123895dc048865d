// Machines with 24 parameters, for the tests of what derivatives cost.
#pragma once

#include <string>
#include <vector>

#include "signal_case.hpp"

namespace armature::internal {

// A planar 3RRR robot that three geared motors with inductance shake.
inline const char* const robot_of_24 = R"(armature: 1
name: 3RRR robot with 24 parameters
plane: xy
gravity: [0, 0, 0]
parameters:
  side: 1.2 m
  l1: 0.581 m
  l2: 0.620 m
  radius: 0.2/sqrt(3)
  crank: 0.35 kg*m^2
  rod: 0.75 kg
  mass: 0.978 kg
  inertia: 0.007 kg*m^2
  gear: 10
  K1: 0.21 N*m/A
  K2: 0.20 N*m/A
  K3: 0.19 N*m/A
  R1: 1.10 Ohm
  R2: 1.00 Ohm
  R3: 1.05 Ohm
  L1: 2 mH
  L2: 3 mH
  L3: 2.5 mH
  b1: 0.9 N*m*s
  b2: 1.1 N*m*s
  b3: 1.0 N*m*s
  u1: 5 V
  u2: -4 V
  u3: 4.5 V
bodies:
  crank{i}: {for: {i: 1..3}, mass: 0.001 kg, center: [0, 0, 0], inertia: {zz: crank}}
  rod{i}: {for: {i: 1..3}, mass: rod, center: [l2/2, 0, 0], inertia: {rod: l2}}
  platform:
    mass: mass
    inertia: {zz: inertia}
    points: {"P{i}": {for: {i: 1..3, at: [210 deg, -30 deg, 90 deg]}, is: [radius*cos(at), radius*sin(at), 0]}}
points:
  O1: [0, 0, 0]
  O2: [side, 0, 0]
  O3: [side/2, side*sqrt(3)/2, 0]
joints:
  theta{i}: {for: {i: 1..3}, type: revolute, between: ["O{i}", "crank{i}"], damping: "b{i}"}
  elbow{i}: {for: {i: 1..3}, type: revolute, between: ["crank{i} [l1, 0, 0]", "rod{i}"]}
  wrist{i}: {for: {i: 1..3, closes: [false, true, true]}, type: revolute, between: ["rod{i} [l2, 0, 0]", "platform.P{i}"], cut: "{closes}"}
drives:
  motor{i}:
    for: {i: 1..3, slow: [0.8, 1.1, 0.9]}
    type: dc_motor
    on: theta{i}
    gear_ratio: gear
    rotor_inertia: 0
    torque_constant: K{i}
    back_emf_constant: K{i}
    resistance: R{i}
    inductance: L{i}
    voltage: u{i}*sin(2*pi*slow*t)
start:
  keep: {theta1: -0.606, theta2: 1.488, theta3: 3.583}
  near: {platform: {at: [0.6, 0.35, 0], angle: 0}}
simulate: {end: 2 s, integrator: dopri5, rtol: 1e-8}
)";

// A five-bar robot in the vertical plane, moved by two motors with springs at its joints.
inline const char* const five_bar_of_24 = R"(armature: 1
name: five-bar robot with 24 parameters
plane: xy
gravity: [0, -g, 0]
parameters:
  g: 9.81 m/s^2
  l1: 0.25 m
  l2: 0.4 m
  base: 0.2 m
  crank: 2 kg/m
  rod: 1.2 kg/m
  load: 1 kg
  gear1: 30
  gear2: 32
  K1: 0.04 N*m/A
  K2: 0.045 N*m/A
  R1: 1.1 Ohm
  R2: 1.0 Ohm
  L1: 1 mH
  L2: 1.2 mH
  J1: 1.2e-5 kg*m^2
  J2: 1.3e-5 kg*m^2
  b1: 0.3 N*m*s
  b2: 0.4 N*m*s
  c1: 4 N*m
  c2: 5 N*m
  rest: 0.2
  u1: 6 V
  u2: -5 V
bodies:
  crank{k}: {for: {k: 1..2}, mass: crank*l1, center: [l1/2, 0, 0], inertia: {rod: l1}}
  rod{k}: {for: {k: 1..2}, mass: rod*l2, center: [l2/2, 0, 0], inertia: {rod: l2}}
  tool: {mass: load, inertia: none, points: {tip: [0, 0, 0]}}
points:
  O1: [-base/2, 0, 0]
  O2: [base/2, 0, 0]
joints:
  theta{k}: {for: {k: 1..2}, type: revolute, between: ["O{k}", "crank{k}"], damping: "b{k}", spring: {stiffness: "c{k}", rest: rest}}
  elbow{k}: {for: {k: 1..2}, type: revolute, between: ["crank{k} [l1, 0, 0]", "rod{k}"]}
  held: {type: fixed, between: ["rod1 [l2, 0, 0]", tool]}
  wrist: {type: revolute, between: ["rod2 [l2, 0, 0]", tool.tip], cut: true}
drives:
  motor{k}:
    for: {k: 1..2}
    type: dc_motor
    on: theta{k}
    gear_ratio: gear{k}
    rotor_inertia: J{k}
    torque_constant: K{k}
    back_emf_constant: K{k}
    resistance: R{k}
    inductance: L{k}
    voltage: u{k}*sin(8*t)
start:
  keep: {theta1: 2.2, theta2: 0.9}
  near: {elbow1: -1.5, elbow2: 1.5}
simulate: {end: 1 s, integrator: dopri5, rtol: 1e-8}
)";

struct CostCase : SignalCase {
  CostCase(const char* text, const std::vector<std::string>& signals, const std::vector<double>& times)
      : SignalCase(read_model_text(text), parameters_of(text), signals, times) {}

  static std::vector<std::string> parameters_of(const char* text) {
    std::vector<std::string> names;
    for (const auto& parameter : read_model_text(text).parameters) names.push_back(parameter.name);
    return names;
  }
};

}  // namespace armature::internal
