// What the user reads when something is wrong, and the exit code that goes with it.
#pragma once

#include <string>

#include "model/model.hpp"
#include "model/request_error.hpp"
#include "record/record_error.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {

// The command line asks for something that does not exist: a sentence.
using UsageError = RequestError;

bool speaks_for_team();

// Refuses the command line: prints the sentence, returns the exit code.
int refuse(const std::string& sentence, bool json);

// Runs a verb; an exception becomes a message on stderr (as JSON: on stdout) and an exit code.
int guarded(const Verb& verb, bool json);

}  // namespace armature::internal::cli
