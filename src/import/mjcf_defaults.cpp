#include "import/mjcf_defaults.hpp"

#include <algorithm>
#include <iterator>

#include "import/xml_tree.hpp"

namespace armature::internal {

namespace {

// A class has one default actuator, whichever element speaks of it.
constexpr const char* actuators[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                     "damper",  "cylinder", "muscle",   "adhesion", "dcmotor"};
constexpr const char* of_all_actuators[] = {"ctrllimited", "ctrlrange", "forcelimited", "forcerange", "gear"};

template <std::size_t count>
bool is_in(const std::string& name, const char* const (&names)[count]) {
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace

MjcfDefaults::MjcfDefaults(pugi::xml_node mujoco) {
  classes_[topmost_];
  for (const pugi::xml_node node : mujoco.children("default")) read(node, classes_[topmost_], true);
}

void MjcfDefaults::read(pugi::xml_node node, const Elements& parent, bool topmost) {
  const std::string given = node.attribute("class").value(), name = given.empty() ? topmost_ : given;
  // The topmost class may have a name of its own.
  if (topmost && !given.empty() && given != topmost_) {
    classes_[given] = classes_[topmost_];
    classes_.erase(topmost_);
    topmost_ = given;
  }
  Elements elements = parent;
  for (const pugi::xml_node child : node.children()) {
    if (child.type() != pugi::node_element || std::string(child.name()) == "default") continue;
    // Own values over those of the parent. Some attributes of one actuator count for actuators of all kinds.
    for (const pugi::xml_attribute attribute : child.attributes()) {
      if (std::string(attribute.name()) == "@") continue;
      elements[child.name()][attribute.name()] = attribute.value();
      if (is_in(child.name(), actuators) && is_in(attribute.name(), of_all_actuators))
        for (const char* actuator : actuators) elements[actuator][attribute.name()] = attribute.value();
    }
  }
  classes_[name] = elements;
  for (const pugi::xml_node child : node.children("default")) read(child, elements, false);
}

void MjcfDefaults::complete(pugi::xml_node element, const std::string& childclass) const {
  const std::string own = element.attribute("class").value();
  const std::string& name = !own.empty() ? own : !childclass.empty() ? childclass : topmost_;
  const auto found = classes_.find(name);
  if (found == classes_.end()) return;
  const auto attributes = found->second.find(element.name());
  if (attributes == found->second.end()) return;
  // an orientation has several notations: an element's own notation replaces all inherited ones
  static const char* const turns[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  bool turned = element.attribute("fromto");
  for (const char* turn : turns) turned = turned || element.attribute(turn);
  for (const auto& [key, value] : attributes->second) {
    bool is_turn = false;
    for (const char* turn : turns) is_turn = is_turn || key == turn;
    if (!element.attribute(key.c_str()) && !(is_turn && turned)) element.append_attribute(key.c_str()) = value.c_str();
  }
}

}  // namespace armature::internal
