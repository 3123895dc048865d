// Two blocks of 2 and 3 kg on slides along x, or two wheels of 0.5 and 2 kg m^2 about z, with the force element f between them, at one
// moment. Their coordinates are a and b.
#pragma once

#include <fmt/format.h>

#include "support/moment.hpp"

namespace armature::internal {

inline std::string with_states(const std::string& machine, const std::string& force, double a, double b, double a_rate,
                               double b_rate) {
  return fmt::format(
      "gravity: [0, 0, 0]\n{}forces:\n  f: {{{}}}\nstart: {{keep: {{a: {}, b: {}}}, speed: {{a: {}, b: {}}}}}\n",
      machine, force, a, b, a_rate, b_rate);
}

inline Moment slides(const std::string& force, double a, double b, double a_rate, double b_rate) {
  return moment_of(
      with_states("bodies: {first: {mass: 2}, second: {mass: 3}}\njoints:\n"
                  "  a: {type: prismatic, axis: x, between: [ground, first]}\n"
                  "  b: {type: prismatic, axis: x, between: [ground, second]}\n",
                  force, a, b, a_rate, b_rate));
}

inline const std::string two_wheels =
    "bodies: {first: {mass: 1, inertia: {zz: 0.5}}, second: {mass: 1, inertia: {zz: 2}}}\njoints:\n"
    "  a: {type: revolute, axis: z, between: [ground, first]}\n"
    "  b: {type: revolute, axis: z, between: [ground, second]}\n";

inline Moment wheels(const std::string& force, double a, double b, double a_rate, double b_rate) {
  return moment_of(with_states(two_wheels, force, a, b, a_rate, b_rate));
}

// What is said of an element that is wrong: the first message; empty: it is right.
template <class Machine>
std::string refusal(const Machine& machine, const std::string& force) {
  try {
    machine(force, 0.1, 0.2, 0.3, 0.4);
  } catch (const ModelError& error) {
    return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
  }
  return "";
}

}  // namespace armature::internal
