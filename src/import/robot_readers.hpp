// The readers of the formats, a file each. They throw ModelError.
#pragma once

#include "import/robot.hpp"
#include "import/robot_files.hpp"
#include "import/xml_tree.hpp"

namespace armature::internal {

struct RobotOptions {
  bool free_base = false;  // a URDF's root link moves freely instead of being the ground
};

Robot read_urdf(const XmlTree& xml, const RobotFiles& files, const RobotOptions& options);
Robot read_sdf(const XmlTree& xml, const RobotFiles& files);
Robot read_mjcf(const XmlTree& xml, const RobotFiles& files);

// The loops of a URDF in a file beside it (closed_loops.cpp).
void read_closed_loops(const std::string& text, const std::string& file, Robot& robot);
bool has_closed_loops(const std::string& text);  // whether a text is such a file

}  // namespace armature::internal
