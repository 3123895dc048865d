#include "model/warnings.hpp"

#include <algorithm>

#include "model/findings.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

// Energy that a damper gives instead of taking it: allowed, since a formula may want it, and seldom meant.
void warn_of_negative_damping(const Model& model, Findings& findings) {
  const auto judge = [&](const std::string& key, const Formula& damping) {
    if (find_constant(damping, model).value_or(0) >= 0) return;  // of one that moves the sign is not known here
    findings.push_back(finding<FindingCode::negative_damping>("key"_a = key, "damping"_a = damping.text));
  };
  for (const Joint& joint : model.joints)
    for (const JointElement& element : joint.elements) judge("joints." + joint.name + ".damping", element.damping);
  for (const ForceElement& element : model.forces)
    judge("forces." + element.name + ".damping", element.values["damping"]);
}

// A rotor turns with the frame of the body that carries it; that of a beam does not bend with the section it sits on.
void warn_of_rotors_on_beams(const Model& model, Findings& findings) {
  for (const Drive& drive : model.drives) {
    const auto carrier = std::find_if(model.bodies.begin(), model.bodies.end(),
                                      [&](const Body& body) { return body.name == drive.rotor.carried_by; });
    if (carrier == model.bodies.end() || !carrier->beam) continue;
    findings.push_back(finding<FindingCode::rotor_on_beam>("drive"_a = drive.name, "beam"_a = carrier->name));
  }
}

}  // namespace

Findings findings_of(const Model& model) {
  Findings findings;
  warn_of_negative_damping(model, findings);
  warn_of_rotors_on_beams(model, findings);
  return findings;
}

}  // namespace armature::internal
