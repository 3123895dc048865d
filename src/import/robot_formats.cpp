#include "import/robot_formats.hpp"

#include <stdexcept>

#include "import/robot.hpp"

namespace armature::internal {

RobotFormat::Read read_urdf, read_sdf, read_mjcf;
RobotFormat::Write write_urdf, write_sdf, write_mjcf;

namespace {

constexpr RobotFormat formats[] = {
    {"urdf", ".urdf", "robot", "write a robot in URDF, with loops as URDF+ <loop> elements", read_urdf, write_urdf},
    {"sdf", ".sdf", "sdf", "write a robot in SDFormat", read_sdf, write_sdf},
    {"mjcf", ".xml", "mujoco", "write a robot in MuJoCo's format", read_mjcf, write_mjcf},
};

}  // namespace

std::span<const RobotFormat> robot_formats() { return formats; }

const RobotFormat& robot_format(const std::string& name) {
  for (const RobotFormat& format : formats)
    if (name == format.name) return format;
  throw std::invalid_argument("there is no robot format called " + name);
}

}  // namespace armature::internal
