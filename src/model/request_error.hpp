// What was asked for cannot be had: a sentence each.
#pragma once

#include <stdexcept>

namespace armature::internal {

// The request itself is wrong: it names something that this model does not have, or contradicts itself. The sentence begins
// with the option.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The request is right, but there is no result: a start that cannot be assembled, an equilibrium that is not found.
struct ComputationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace armature::internal
