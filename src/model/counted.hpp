// Numbers of things, in words.
#pragma once

#include <string>

namespace armature::internal {

// "1 cell", "2 cells"
inline std::string counted(long count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace armature::internal
