// What was asked for cannot be had: a sentence each.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace armature::internal {

// The request itself is wrong: it names something that this model does not have, or contradicts itself.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
  // About one option, which begins the sentence: "over rope: the range is empty". The command line puts -- before it.
  RequestError(const std::string& option, const std::string& sentence)
      : std::runtime_error(option + ": " + sentence), names_option(true) {}
  bool names_option = false;
};

// The request is right, but there is no result: a start that cannot be assembled, an equilibrium that is not found.
struct ComputationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A machine that does not come to rest. Whoever asks can linearize about its start instead.
struct NoEquilibrium : ComputationError {
  using ComputationError::ComputationError;
};

// Throws RequestError ("unknown integrator 'rk5' (did you mean 'rk4'?)") unless `name` is one of `names`.
void require_known(const std::string& name, const std::vector<std::string>& names, const std::string& kind);

}  // namespace armature::internal
