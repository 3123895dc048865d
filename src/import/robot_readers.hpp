// What the readers of the formats share.
#pragma once

#include "import/robot_files.hpp"
#include "import/xml_tree.hpp"

namespace armature::internal {

struct Robot;

struct RobotOptions {
  bool free_base = false;  // a URDF's root link moves freely instead of being the ground
};

// The loops of a URDF in a file beside it (closed_loops.cpp).
void read_closed_loops(const std::string& text, const std::string& file, Robot& robot);
bool has_closed_loops(const std::string& text);  // whether a text is such a file

}  // namespace armature::internal
