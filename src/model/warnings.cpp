#include "model/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/scope.hpp"

namespace armature::internal {

namespace {

// Energy that a damper gives instead of taking it: allowed, since a formula may want it, and seldom meant.
void warn_of_negative_damping(const Model& model, std::vector<std::string>& warnings) {
  const auto judge = [&](const std::string& key, const Formula& damping) {
    if (find_constant(damping, model).value_or(0) >= 0) return;  // of one that moves the sign is not known here
    warnings.push_back(
        fmt::format("{} ({}) is negative: it drives the motion instead of damping it", key, damping.text));
  };
  for (const Joint& joint : model.joints)
    for (const JointElement& element : joint.elements) judge("joints." + joint.name + ".damping", element.damping);
  for (const ForceElement& element : model.forces)
    judge("forces." + element.name + ".damping", element.values["damping"]);
}

// A rotor turns with the frame of the body that carries it; that of a beam does not bend with the section it sits on.
void warn_of_rotors_on_beams(const Model& model, std::vector<std::string>& warnings) {
  for (const Drive& drive : model.drives) {
    const auto carrier = std::find_if(model.bodies.begin(), model.bodies.end(),
                                      [&](const Body& body) { return body.name == drive.rotor.carried_by; });
    if (carrier == model.bodies.end() || !carrier->beam) continue;
    warnings.push_back(
        fmt::format("drives.{}: its rotor is carried by the beam {} and turns with the frame of the beam, not with the "
                    "section where it sits; fix a body for its housing there, and let that carry it",
                    drive.name, carrier->name));
  }
}

}  // namespace

std::vector<std::string> warnings_of(const Model& model) {
  std::vector<std::string> warnings;
  warn_of_negative_damping(model, warnings);
  warn_of_rotors_on_beams(model, warnings);
  return warnings;
}

}  // namespace armature::internal
