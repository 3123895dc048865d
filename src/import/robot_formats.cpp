#include "import/robot_formats.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "import/robot_of_model.hpp"

namespace armature::internal {

namespace {

// robot.yaml beside robot.urdf
void add_closed_loops(const std::string& file, const RobotFiles& files, Robot& robot) {
  const std::string beside = std::filesystem::path(file).stem().string() + ".yaml";
  std::string why;
  const std::optional<std::string> text = files.read(beside, why);
  if (text && has_closed_loops(*text)) read_closed_loops(*text, beside, robot);
}

Robot read_urdf_and_loops(XmlTree& xml, const std::string& file, const RobotFiles& files, const RobotOptions& options) {
  Robot robot = read_urdf(xml, files, options);
  add_closed_loops(file, files, robot);
  return robot;
}

Robot read_sdf_and_models(XmlTree& xml, const std::string&, const RobotFiles& files, const RobotOptions&) {
  xml.include_models(files);
  return read_sdf(xml, files);
}

Robot read_mjcf_and_includes(XmlTree& xml, const std::string&, const RobotFiles& files, const RobotOptions&) {
  xml.include_files("include", files);
  return read_mjcf(xml, files);
}

constexpr RobotFormat formats[] = {
    {"urdf", ".urdf", "robot", "write a robot in URDF, with loops as URDF+ <loop> elements", read_urdf_and_loops, write_urdf},
    {"sdf", ".sdf", "sdf", "write a robot in SDFormat", read_sdf_and_models, write_sdf},
    {"mjcf", ".xml", "mujoco", "write a robot in MuJoCo's format", read_mjcf_and_includes, write_mjcf},
};

}  // namespace

std::span<const RobotFormat> robot_formats() { return formats; }

const RobotFormat& robot_format(const std::string& name) {
  for (const RobotFormat& format : formats)
    if (name == format.name) return format;
  throw std::invalid_argument("there is no format of robots called " + name);
}

}  // namespace armature::internal
