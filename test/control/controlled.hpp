// A disc of 0.02 kg m^2 with the controller c, whose output pushes it; and a slider-crank under gravity.
#pragma once

#include "support/moment.hpp"

namespace armature::internal {

inline std::string controlled_disc(const std::string& controller,
                                   const std::string& simulate = "end: 1, record: 1 ms, rtol: 1e-10",
                                   const std::string& torque = "c") {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\n"
         "controllers:\n  c: {" +
         controller +
         "}\n"
         "forces: {push: {type: effort, on: turn, is: " +
         torque + "}}\nsimulate: {" + simulate + "}\n";
}

inline const char* const controlled_crank = R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  arm: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  rod: {mass: 1, center: [0.25, 0, 0], inertia: {rod: 0.5}}
  slider: {mass: 0.5}
joints:
  crank: {type: revolute, between: [ground, arm], damping: 0.1}
  knee: {type: revolute, between: ["arm [0.2, 0, 0]", rod]}
  pin: {type: revolute, between: ["rod [0.5, 0, 0]", slider]}
  slide: {type: prismatic, axis: x, between: [ground, slider]}
start: {keep: {crank: 0.7}, near: {knee: -1, slide: 0.6}}
simulate: {end: 2, record: 0.01, rtol: 1e-10}
)";

}  // namespace armature::internal
