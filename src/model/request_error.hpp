// What was asked for cannot be had: a sentence each.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

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

// Throws RequestError ("unknown integrator 'rk5' (did you mean 'rk4'?)") unless `name` is one of `names`.
void require_known(const std::string& name, const std::vector<std::string>& names, const std::string& kind);

}  // namespace armature::internal
