// From a model to something that can run: expressions, programs, redundant rows, options in force, assembled start.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "simulate/options.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

struct Prepared {
  std::shared_ptr<const System> system;
  RunOptions options;
  State start;                     // on phi = 0, phidot = 0, modes set
  std::vector<std::string> notes;  // joints that were cut, redundant rows, what moved in assembly
  std::string failure;             // not empty: there is no start, and why (the loop that does not close, by how much)
};

// `from` replaces the model's start; it is taken as it is where it satisfies the constraints, else it is a guess.
// Throws ModelError where the model is wrong.
Prepared prepare(const Model& model, const std::optional<State>& from = {});
// The same in two parts, where the state to start from needs the names of the system's coordinates.
Prepared compile(const Model& model);                                      // all but the start
void assemble_start(Prepared& prepared, const std::optional<State>& from);  // start, notes, failure

}  // namespace armature
