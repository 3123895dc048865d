// A free rotor of 1 kg m^2 under a torque: its speed is the integral of the formula.
#pragma once

#include <fmt/format.h>

#include <string>

#include "support/run_model.hpp"

namespace armature::internal {

inline std::string rotor(const std::string& torque,
                         const std::string& simulate = "end: 1, record: 0.05, rtol: 1e-8, atol: 1e-8",
                         const std::string& more = "", double speed = 0) {
  return "gravity: [0, 0, 0]\nplane: xy\n"
         "tables: {f: {x: [0, 0.1, 0.2], y: [0, 1, 0]}, g: {x: [0, 0.05, 0.1], y: [0, 1, 3], interpolation: spline}}\n"
         "bodies: {rotor: {mass: 1 kg, inertia: {zz: 1}}}\n"
         "joints: {shaft: {type: revolute, between: [ground, rotor]}}\n" +
         more + "forces: {f0: {type: effort, on: shaft, is: \"" + torque +
         "\"}}\nstart: {speed: {shaft: " + fmt::format("{:.17g}", speed) + "}}\nsimulate: {" + simulate + "}\n";
}

inline double speed_after(const std::string& torque,
                          const std::string& simulate = "end: 1, record: 0.05, rtol: 1e-8, atol: 1e-8",
                          const std::string& more = "") {
  return simulated_text(rotor(torque, simulate, more)).last("shaft'");
}

}  // namespace armature::internal
