#include "model/utf8.hpp"

namespace armature::internal {
namespace {

constexpr char32_t first_private = 0xef80, last_private = 0xefff;  // 128 of them, for the bytes 0x80 to 0xff

bool stands_for_byte(char32_t code) { return code >= first_private && code <= last_private; }

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

void append_byte(std::string& text, unsigned char byte) {
  const char32_t code = first_private + (byte - 0x80u);
  for (const char32_t part : {0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f), 0x80 | (code & 0x3f)})
    text += static_cast<char>(part);
}

}  // namespace

// The number of leading ones is the number of bytes. A code that fewer bytes could hold, a surrogate, or one beyond the last
// is not UTF-8.
Utf8Character utf8_character(std::string_view text, std::size_t at) {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1};
  const int bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead > 0xf7 || at + static_cast<std::size_t>(bytes) > text.size()) return {};
  char32_t code = lead & (0xffu >> (bytes + 1));
  for (int k = 1; k < bytes; ++k) {
    const unsigned char next = byte_at(text, at + static_cast<std::size_t>(k));
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3fu);
  }
  constexpr char32_t least[] = {0x80, 0x800, 0x10000};
  const bool wrong = code < least[bytes - 2] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return wrong ? Utf8Character{} : Utf8Character{code, bytes};
}

std::string bytes_as_utf8(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Character character = utf8_character(bytes, at);
    if (character.bytes == 0 || stands_for_byte(character.code)) {
      append_byte(text, byte_at(bytes, at++));
    } else {
      text += bytes.substr(at, static_cast<std::size_t>(character.bytes));
      at += static_cast<std::size_t>(character.bytes);
    }
  }
  return text;
}

std::string utf8_as_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_character(text, at);
    const std::size_t length = character.bytes == 0 ? 1 : static_cast<std::size_t>(character.bytes);
    if (stands_for_byte(character.code))
      bytes += static_cast<char>(0x80 + (character.code - first_private));
    else
      bytes += text.substr(at, length);
    at += length;
  }
  return bytes;
}

}  // namespace armature::internal
