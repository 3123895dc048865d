// Defaults of MJCF: <default class="…"> nested, each class taking what its parent has. An element gets what it does not say itself
// from the class that it names, or from the nearest childclass of the bodies around it, or from the topmost class.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <string>

namespace armature::internal {

class MjcfDefaults {
 public:
  explicit MjcfDefaults(pugi::xml_node mujoco);

  bool has(const std::string& name) const { return classes_.contains(name); }
  // Adds to the element the attributes that it does not have. `childclass`: of the bodies around it.
  void complete(pugi::xml_node element, const std::string& childclass) const;

 private:
  using Attributes = std::map<std::string, std::string>;
  using Elements = std::map<std::string, Attributes>;
  void read(pugi::xml_node node, const Elements& parent, bool topmost);

  std::map<std::string, Elements> classes_;
  std::string topmost_ = "main";
};

}  // namespace armature::internal
