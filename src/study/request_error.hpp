// What was asked for does not exist in this model, or cannot be had of it: a sentence that begins with the option.
#pragma once

#include <stdexcept>

namespace armature::internal {

struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace armature::internal
