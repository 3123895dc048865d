// XML as text, for export: elements by line, numbers in all their digits.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

namespace armature::internal {

using XmlAttributes = std::vector<std::pair<std::string, std::string>>;

class XmlText {
 public:
  void open(const std::string& name, const XmlAttributes& attributes = {});
  void close();
  void leaf(const std::string& name, const XmlAttributes& attributes = {});
  void value(const std::string& name, const std::string& text,
             const XmlAttributes& attributes = {});  // <name>text</name>
  void comment(const std::string& text);
  const std::string& text() const { return text_; }

 private:
  void line(const std::string& text);
  std::string tag(const std::string& name, const XmlAttributes& attributes) const;

  std::string text_;
  std::vector<std::string> open_;
};

// As it stands in an attribute or an element. XML has no control characters, and no bytes that are not UTF-8, which names of files may
// have: those become blanks and U+FFFD.
std::string xml_escaped(const std::string& text);

std::string spaced(const Eigen::Vector3d& x);  // "0.1 0 0", without round-off

}  // namespace armature::internal
