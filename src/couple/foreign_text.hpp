// What somebody else's code says, as part of a sentence of ours.
#pragma once

#include <string>
#include <string_view>

namespace armature::internal {

// On one line, without escape sequences, control characters and characters that turn the direction of writing; what is not UTF-8 becomes
// '?'. Longer texts are cut.
std::string foreign_text(std::string_view text);

}  // namespace armature::internal
