#include "report/markup.hpp"

namespace armature::internal {

std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text) {
    const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    if (control)
      safe += ' ';  // XML has no word for it
    else if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

}  // namespace armature::internal
