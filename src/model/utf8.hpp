// Characters of a text that may hold bytes which are not UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace armature::internal {

struct Utf8Character {
  char32_t code = 0;
  int bytes = 0;  // 0: what stands there is not UTF-8
};
Utf8Character utf8_character(std::string_view text, std::size_t at);

// Any bytes as UTF-8, and back again without loss: a byte that is not UTF-8 becomes one of the private characters U+EF80 to
// U+EFFF. So do the bytes of such a character that the text itself holds.
std::string bytes_as_utf8(std::string_view bytes);
std::string utf8_as_bytes(std::string_view text);

}  // namespace armature::internal
