#include "report/markup.hpp"

namespace armature {

std::string escaped(const std::string& text) {
  std::string safe;
  for (char c : text) {
    if (c == '&')
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

}  // namespace armature
