#include "inspect/code_text.hpp"

#include "model/utf8.hpp"

namespace armature::internal {
namespace {

// Ends a line for some reader, or turns the direction of writing, so that code reads as something that it is not.
bool disturbs(char32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool ends_line = code == 0x2028 || code == 0x2029;
  const bool turns = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x2069);
  return control || ends_line || turns;
}

std::string with_backslashes(const std::string& text, const std::string& before) {
  std::string safe;
  for (const char c : text) {
    if (before.find(c) != std::string::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

}  // namespace

// What is not UTF-8 becomes '?': Python refuses such a source.
std::string one_line(const std::string& text) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_character(text, at);
    const std::size_t bytes = character.bytes == 0 ? 1 : static_cast<std::size_t>(character.bytes);
    line += character.bytes == 0 ? "?" : disturbs(character.code) ? " " : text.substr(at, bytes);
    at += bytes;
  }
  return line;
}

std::string c_comment_text(const std::string& text) {
  std::string safe;
  for (const char c : one_line(text)) {
    const bool closes = !safe.empty() && ((safe.back() == '*' && c == '/') || (safe.back() == '/' && c == '*'));
    if (closes) safe += ' ';
    safe += c;
  }
  return safe;
}

// "??/" is a backslash to C99.
std::string c_string_text(const std::string& text) { return with_backslashes(one_line(text), "\"\\?"); }

std::string python_string_text(const std::string& text) { return with_backslashes(one_line(text), "\"\\"); }

}  // namespace armature::internal
