// The formats of robots: how each is read and written, by a file for its reader and one for its writer.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "import/robot_files.hpp"
#include "import/robot_readers.hpp"
#include "import/xml_tree.hpp"

namespace armature::internal {

struct Robot;

struct RobotFormat {
  const char* name;    // "urdf": the option --urdf of export, format="urdf" in Python
  const char* ending;  // of its files
  const char* root;    // element with which a file begins
  const char* help;    // of the option
  // file: its name, for files beside it that belong to it. Throws ModelError.
  using Read = Robot(XmlTree& xml, const std::string& file, const RobotFiles& files, const RobotOptions& options);
  using Write = std::string(Robot robot,
                            std::vector<std::string>& not_exported);  // grows by what the format cannot say
  Read* read;
  Write* write;
};

std::span<const RobotFormat> robot_formats();
const RobotFormat& robot_format(const std::string& name);  // throws std::invalid_argument

}  // namespace armature::internal
