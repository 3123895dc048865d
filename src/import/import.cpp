#include "import/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "import/reduce.hpp"
#include "import/robot.hpp"
#include "import/robot_formats.hpp"
#include "import/write_model.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

Robot read_robot(XmlTree& xml, const std::string& file, const RobotFiles& files, const ImportOptions& options) {
  const std::string root = xml.root().name();
  for (const RobotFormat& format : robot_formats())
    if (root == format.root) return format.read(xml, file, files, options);
  xml.fail(xml.root(),
           "this is not a robot: a URDF begins with <robot>, an SDFormat file with <sdf>, MJCF with <mujoco>");
}

}  // namespace

bool is_xml(const std::string& text) {
  const std::size_t bom = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  const auto first = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(bom), text.end(),
                                  [](unsigned char c) { return !std::isspace(c); });
  return first != text.end() && *first == '<';
}

ImportedModel import_robot(const std::string& text, const std::string& file, const ImportOptions& options) {
  const fs::path beside = fs::path(file).parent_path();
  const RobotFiles files(options.root.empty() ? beside : fs::path(options.root), options.may_read);
  XmlTree xml(text, file);
  Robot robot = read_robot(xml, file, files, options);
  if (robot.bodies.empty()) xml.fail(xml.root(), "no body moves");
  if (robot.name.empty()) robot.name = fs::path(file).stem().string();
  const std::vector<Frame> poses = reduce(robot);
  if (robot.bodies.empty()) xml.fail(xml.root(), "no body moves");
  ImportedModel imported;
  imported.text = write_model(robot, poses, fs::path(file).filename().string(), options.meshes);
  imported.format = robot.format;
  imported.loops = robot.loops;
  imported.not_taken = robot.not_taken;
  return imported;
}

}  // namespace armature::internal
