#include "report/input_units.hpp"

#include <algorithm>
#include <map>

#include "model/joint_components.hpp"

namespace armature::internal {
namespace {

std::string unit_of_effort(const Model& model, const std::string& on) {
  const std::optional<JointComponent> coordinate = find_coordinate(model, on);
  return coordinate && coordinate->is_length ? "N" : "N m";
}

std::string unit_of_command(const Model& model, const Drive& drive) {
  static const std::map<std::string, std::string> units{
      {"voltage", "V"}, {"current", "A"}, {"frequency", "Hz"}, {"angle", "rad"}, {"valve", ""}};
  const auto found = units.find(drive.command.quantity);
  return found == units.end() ? unit_of_effort(model, drive.on) : found->second;
}

}  // namespace

std::string unit_of_input(const Model& model, const std::string& name) {
  for (const Drive& drive : model.drives)
    if (drive.name == name) return unit_of_command(model, drive);
  for (const ForceElement& element : model.forces)
    if (element.name == name && !element.on.empty()) return unit_of_effort(model, element.on.front());
  const auto input = std::ranges::find(model.inputs, name, &HostInput::name);
  return input == model.inputs.end() ? "" : input->unit;
}

}  // namespace armature::internal
