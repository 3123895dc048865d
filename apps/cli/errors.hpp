// What the user reads when something is wrong, and the exit code that goes with it.
#pragma once

#include <stdexcept>
#include <string>

#include "model/model.hpp"
#include "record/record_error.hpp"
#include "model/request_error.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {

// The command line asks for something that does not exist: a sentence.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The input is right, but what was asked for cannot be computed: a sentence.
struct ComputationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs a computation of the library. What was asked for and does not exist becomes a UsageError; what cannot be computed,
// a ComputationError.
template <class F>
auto computed(F f) {
  try {
    return f();
  } catch (const ModelError&) {
    throw;
  } catch (const UsageError&) {
    throw;
  } catch (const RecordError&) {
    throw;
  } catch (const RequestError& error) {
    throw UsageError(error.what());
  } catch (const std::runtime_error& error) {
    throw ComputationError(error.what());
  }
}

bool speaks_for_team();

// Refuses the command line: prints the sentence, returns the exit code.
int refuse(const std::string& sentence, bool json);

// Runs a verb; an exception becomes a message on stderr (as JSON: on stdout) and an exit code.
int guarded(const Verb& verb, bool json);

}  // namespace armature::internal::cli
