// Elements and attributes of the formats of robots that the readers know: they are read, are named in the list of what is not taken, or
// do not change how the machine moves (colors, parameters of contacts and of solvers). All others are named in that list, so that
// neither a slip of the pen nor a feature of a later version is lost without a word.
#pragma once

#include "import/robot.hpp"
#include "import/xml_tree.hpp"

namespace armature::internal {

// The format is that of the root element. To be called before default values are added to elements.
void list_unknown_names(const XmlTree& xml, Robot& robot);

}  // namespace armature::internal
