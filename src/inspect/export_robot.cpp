#include "inspect/export_robot.hpp"

#include <fmt/format.h>

#include "import/robot_formats.hpp"
#include "import/robot_of_model.hpp"
#include "record/version.hpp"

namespace armature::internal {

namespace {

AssembledStart assembled_start(const Prepared& prepared) {
  const Equations& equations = prepared.system->equations();
  AssembledStart start;
  start.cut = equations.cut_joints;
  for (std::size_t k = 0; k < equations.positions.size(); ++k)
    start.values[equations.positions[k].name] = prepared.start.x[static_cast<Eigen::Index>(k)];
  return start;
}

// In a comment before the robot, but behind an XML declaration.
std::string with_origin(std::string text) {
  const std::size_t place = text.starts_with("<?xml") ? text.find('\n') + 1 : 0;
  return text.insert(place, fmt::format("<!-- written by Armature {} -->\n", version()));
}

}  // namespace

ExportedRobot export_robot(const Model& model, const Prepared& prepared, const std::string& format) {
  Robot robot = robot_of_model(model, assembled_start(prepared));
  ExportedRobot exported{"", robot.not_taken};
  exported.text = with_origin(robot_format(format).write(std::move(robot), exported.not_exported));
  return exported;
}

}  // namespace armature::internal
