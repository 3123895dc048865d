// A result that cannot be written or read: a sentence that begins with the path.
#pragma once

#include <stdexcept>

namespace armature::internal {

struct RecordError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace armature::internal
