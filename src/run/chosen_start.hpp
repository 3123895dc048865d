// Where a motion starts: as the model says, on another assembly branch, at the last state of another run, or at a given state.
#pragma once

#include <optional>
#include <string>

#include "prepare/prepare.hpp"
#include "record/stored_state.hpp"

namespace armature::internal {

struct StartChoice {
  std::string from = {};                  // folder of a run; empty: not at its last state
  std::optional<StoredState> state = {};  // there, in place of the other two
  int branch = 0;                         // from 1, as assembly_branches() lists them; 0: as the model says
  bool further_comparisons = false;       // the model may make more of them than the run of `from` did
};

// Assembles the start. False: there is none; prepared.failure says why. Throws RequestError (no such branch, a state that does not fit the
// model) and RecordError (no such run).
bool assemble_chosen_start(Prepared& prepared, const StartChoice& choice);

// The same; throws ComputationError where there is no start.
void require_chosen_start(Prepared& prepared, const StartChoice& choice);

}  // namespace armature::internal
