// Numbers of things, in words.
#pragma once

#include <algorithm>
#include <string>

namespace armature::internal {

// "1 cell", "2 cells", "2 degrees of freedom"
inline std::string counted(long count, const std::string& noun) {
  const std::string text = std::to_string(count) + " " + noun;
  return count == 1 ? text : std::string(text).insert(std::min(text.find(" of "), text.size()), "s");
}

}  // namespace armature::internal
