#include "import/known_names.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

using Names = std::set<std::string>;

struct KnownElement {
  Names attributes, children;
};
using KnownElements = std::map<std::string, KnownElement>;

Names names_in(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

KnownElements table_of(const KnownNames& known) {
  KnownElements table;
  for (const auto& [element, attributes, children] : known) table[element] = {names_in(attributes), names_in(children)};
  return table;
}

// Whatever it is, it changes nothing.
bool is_off(const std::string& value) {
  return value == "false" || value == "enable" || value.find_first_not_of("0. \t\r\n+-") == std::string::npos;
}
bool is_off(pugi::xml_node node) {
  const std::string text = node.child_value();
  return text.find_first_not_of(" \t\r\n") != std::string::npos && is_off(text);
}

class Unknown {
 public:
  Unknown(const XmlTree& xml, const KnownNames& known) : xml_(xml), table_(table_of(known)) {}

  void look_at(pugi::xml_node node, const std::string& parent) {
    const std::string name = node.name();
    auto entry = table_.find(parent + "/" + name);
    if (entry == table_.end()) entry = table_.find(name);
    if (entry == table_.end()) return;
    const std::string words = element_in_words(node);
    for (const pugi::xml_attribute attribute : node.attributes())
      if (!is_known(attribute.name(), entry->second.attributes) && !is_off(attribute.value()))
        leave_out(words, node, name, fmt::format("'{}'", attribute.name()), attribute.name(), entry->second.attributes);
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (entry->second.children.contains(child.name()))
        look_at(child, name);
      else if (!is_off(child))
        leave_out(words, child, name, fmt::format("<{}>", child.name()), child.name(), entry->second.children);
    }
  }

  void list(Robot& robot) const {
    for (const auto& [sentence, more] : found_)
      robot.leave_out(more == 0 ? sentence : fmt::format("{}; {} more", sentence, more));
  }

 private:
  // The place of an element and name spaces are no attributes of the format.
  static bool is_known(const std::string& name, const Names& names) {
    return names.contains(name) || name == "@" || name == "xmlns" || name.find(':') != std::string::npos;
  }
  void leave_out(const std::string& words, pugi::xml_node at, const std::string& element, const std::string& what,
                 const std::string& name, const Names& names) {
    const auto [known, is_new] = place_in_list_.emplace(element + " " + what, found_.size());
    if (!is_new) return void(++found_[known->second].more);
    found_.push_back({fmt::format("{}: {}: {}{}", xml_.place_of(at), words, what,
                                  did_you_mean(name, {names.begin(), names.end()}))});
  }

  // The first of its kind, and how many follow it: what one element has, others have as well.
  struct Found {
    std::string sentence;
    int more = 0;
  };
  const XmlTree& xml_;
  const KnownElements table_;
  std::vector<Found> found_;
  std::map<std::string, std::size_t> place_in_list_;
};

}  // namespace

void list_unknown_names(const XmlTree& xml, const KnownNames& known, Robot& robot) {
  Unknown unknown(xml, known);
  unknown.look_at(xml.root(), "");
  unknown.list(robot);
}

}  // namespace armature::internal
