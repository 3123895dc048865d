#include "import/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "import/robot_text.hpp"
#include "model/utf8.hpp"

namespace armature::internal {

std::string xml_escaped(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const int bytes = utf8_character(text, at).bytes;
    const char c = text[at];
    if (bytes == 0)
      result += "\uFFFD";
    else if (bytes > 1)
      result += text.substr(at, static_cast<std::size_t>(bytes));
    else if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    at += static_cast<std::size_t>(std::max(bytes, 1));
  }
  return result;
}

std::string spaced(const Eigen::Vector3d& x) {
  const Eigen::Vector3d clean = without_round_off(x);
  return fmt::format("{} {} {}", number_text(clean.x()), number_text(clean.y()), number_text(clean.z()));
}

void XmlText::line(const std::string& text) { text_ += std::string(2 * open_.size(), ' ') + text + "\n"; }

std::string XmlText::tag(const std::string& name, const XmlAttributes& attributes) const {
  std::string text = name;
  for (const auto& [key, value] : attributes) text += fmt::format(" {}=\"{}\"", key, xml_escaped(value));
  return text;
}

void XmlText::open(const std::string& name, const XmlAttributes& attributes) {
  line("<" + tag(name, attributes) + ">");
  open_.push_back(name);
}

void XmlText::close() {
  const std::string name = open_.back();
  open_.pop_back();
  line("</" + name + ">");
}

void XmlText::leaf(const std::string& name, const XmlAttributes& attributes) {
  line("<" + tag(name, attributes) + "/>");
}

void XmlText::value(const std::string& name, const std::string& text, const XmlAttributes& attributes) {
  line(fmt::format("<{}>{}</{}>", tag(name, attributes), xml_escaped(text), name));
}

void XmlText::comment(const std::string& text) {
  std::string clean = xml_escaped(text);
  for (std::size_t at; (at = clean.find("--")) != std::string::npos;) clean.replace(at, 2, "- ");
  line("<!-- " + clean + " -->");
}

}  // namespace armature::internal
