#include "couple/foreign_text.hpp"

#include <algorithm>

#include "model/utf8.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t longest_foreign_text = 500;

// The length of an escape sequence of terminals (ECMA-48): ESC [ … letter, ESC ] … BEL, or ESC and one character.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  std::size_t k = 2;
  if (text[1] == '[') {
    while (k < text.size() && (text[k] < '@' || text[k] > '~')) ++k;
    return std::min(k + 1, text.size());
  }
  if (text[1] != ']') return k;
  while (k < text.size() && text[k] != '\a' && text[k] != '\033') ++k;
  return std::min(k + (k < text.size() && text[k] == '\033' ? 2 : 1), text.size());
}

bool is_unseen(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
  const bool turns =
      (code >= 0x200e && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return is_control || turns;
}

}  // namespace

std::string foreign_text(std::string_view text) {
  std::string line;
  for (std::size_t k = 0; k < text.size();) {
    if (line.size() > longest_foreign_text) return line + "…";
    if (text[k] == '\033') {
      k += escape_length(text.substr(k));
      continue;
    }
    const Utf8Character character = utf8_character(text, k);
    const std::size_t bytes = character.bytes > 0 ? static_cast<std::size_t>(character.bytes) : 1;
    if (character.bytes == 0)
      line += '?';
    else if (!is_unseen(character.code))
      line += text.substr(k, bytes);
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    k += bytes;
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace armature::internal
