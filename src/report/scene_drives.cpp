// What drives the joints of a scene, and the springs, dampers and end stops on them.
#include <algorithm>

#include "model/joint_kinds.hpp"
#include "report/formula_joints.hpp"
#include "report/scene_builder.hpp"

namespace armature::internal {
namespace {

bool is_on(const std::string& coordinate, const std::string& joint) {
  return coordinate == joint || coordinate.starts_with(joint + ".");
}

std::string drive_of(const Model& model, const std::string& joint) {
  const auto drives_joint = [&](const Drive& drive) { return is_on(drive.on, joint); };
  if (std::ranges::any_of(model.drives, drives_joint)) return "motor";
  const auto pushes_joint = [&](const ForceElement& element) {
    return !element.kind->input().empty() &&
           std::ranges::any_of(element.on, [&](const std::string& on) { return is_on(on, joint); });
  };
  if (std::ranges::any_of(model.forces, pushes_joint)) return "effort";
  // one coordinate that is a function of time
  const auto moves_joint = [&](const PrescribedConstraint& constraint) {
    const FormulaJoints found = joints_in(constraint.zero, model);
    return found.uses_time && found.coordinates.size() == 1 && is_on(*found.coordinates.begin(), joint);
  };
  return std::ranges::any_of(model.prescribed, moves_joint) ? "prescribed" : "";
}

bool has_spring(const Model& model, const Joint& joint, bool damping) {
  const auto by_element = [&](const JointElement& element) { return (damping ? element.damping : element.stiffness).given(); };
  const auto by_force = [&](const ForceElement& element) {
    return element.kind->type() == "torsion_spring" && element.values[damping ? "damping" : "stiffness"].given() &&
           std::ranges::any_of(element.on, [&](const std::string& on) { return is_on(on, joint.name); });
  };
  return std::ranges::any_of(joint.elements, by_element) || std::ranges::any_of(model.forces, by_force);
}

}  // namespace

void Scene::Builder::add_drives(EquationsBuilder& builder) {
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    SceneJoint& out = scene_.joints[k];
    out.drive = drive_of(model_, joint.name);
    out.driven = !out.drive.empty();
    const auto frame = std::ranges::find(model_.reaction_frames, joint.name, &ReactionFrame::joint);
    if (frame != model_.reaction_frames.end())
      out.reaction_axes = frame->axes == ReactionFrame::Side::first    ? "first"
                          : frame->axes == ReactionFrame::Side::second ? "second"
                                                                       : "ground";
    out.spring = has_spring(model_, joint, false), out.damper = has_spring(model_, joint, true);
    if (joint.elements.size() != 1 || words_of(joint.type).freedoms() != 1) continue;
    const JointElement& element = joint.elements[0];
    if (element.lower.given()) out.stops[0] = number(element.lower, builder, "");
    if (element.upper.given()) out.stops[1] = number(element.upper, builder, "");
  }
}

}  // namespace armature::internal
