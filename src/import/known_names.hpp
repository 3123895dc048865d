// Elements and attributes of a format that its reader knows: they are read, are named in the list of what is not taken, or do not change
// how the machine moves (colors, parameters of contacts and of solvers). All others are named in that list, so that neither a slip of the
// pen nor a feature of a later version is lost without a word.
#pragma once

#include <string>
#include <vector>

#include "import/robot.hpp"
#include "import/xml_tree.hpp"

namespace armature::internal {

struct NamesOfElement {
  std::string element;               // or "parent/element", where the parent makes a difference
  std::string attributes, children;  // separated by blanks
};
using KnownNames = std::vector<NamesOfElement>;  // what is in an element without an entry is not looked at

// To be called before default values are added to elements.
void list_unknown_names(const XmlTree& xml, const KnownNames& known, Robot& robot);

}  // namespace armature::internal
