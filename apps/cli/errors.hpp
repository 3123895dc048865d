// What the user reads when something is wrong, and the exit code that goes with it.
#pragma once

#include <stdexcept>

#include "verbs.hpp"

namespace armature::cli {

// The command line asks for something that does not exist: a sentence.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The input is right, but what was asked for cannot be computed: a sentence.
struct ComputationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs a verb; an exception becomes a message on stderr (as JSON: on stdout) and an exit code.
int guarded(const Verb& verb, bool json);

}  // namespace armature::cli
