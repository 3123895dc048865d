// Filters on signals of known form, in a model of their own.
#pragma once

#include "support/run_model.hpp"

namespace armature::internal {

inline std::string filtered(const std::string& controllers,
                            const std::string& more = "simulate: {end: 2, record: 50 ms, rtol: 1e-10}") {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\ncontrollers: {" +
         controllers + "}\n" + more + "\n";
}

inline std::string complaint(const std::string& controllers) {
  try {
    prepared_text(filtered(controllers));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace armature::internal
