#include "report/input_units.hpp"

#include <algorithm>

#include "model/joint_components.hpp"

namespace armature::internal {
namespace {

std::string unit_of_effort(const Model& model, const std::string& on) {
  const std::optional<JointComponent> coordinate = find_coordinate(model, on);
  return coordinate && coordinate->is_length ? "N" : "N m";
}

}  // namespace

std::string unit_of_input(const Model& model, const std::string& name) {
  for (const Drive& drive : model.drives)
    if (drive.name == name)
      return drive.command.quantity == "voltage" ? "V" : drive.command.quantity == "current" ? "A" : unit_of_effort(model, drive.on);
  for (const ForceElement& element : model.forces)
    if (element.name == name && !element.on.empty()) return unit_of_effort(model, element.on.front());
  const auto input = std::ranges::find(model.inputs, name, &HostInput::name);
  return input == model.inputs.end() ? "" : input->unit;
}

}  // namespace armature::internal
