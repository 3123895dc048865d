// The coordinates of each type of joint and of a beam, and the words of the file for types.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

struct JointComponent {
  std::string name;        // "" for a joint of one coordinate
  bool is_length = false;  // else an angle (or a part of a quaternion)
  bool is_part_of_ball = false;
};

std::vector<JointComponent> components_of(JointType type);
// What moves of one field of a beam: the values of its nodes that are free to move, from node 0 at the first end ("w1",
// "slope1", …; "twist1", …), or the largest values of its modes ("mode1", …). Spatial beams say y or z: "wy1", "modez2".
std::vector<JointComponent> components_of(const Beam& beam, const Beam::Motion& motion);
std::vector<JointComponent> components_of(const Beam& beam);  // of all its fields
std::optional<JointType> joint_type(const std::string& word);
const std::vector<std::string>& joint_type_names();

// "theta1", "leg.slide"
std::string coordinate_name(const Joint& joint, const JointComponent& component);

// A coordinate of the model by its name, if there is one.
std::optional<JointComponent> find_coordinate(const Model& model, const std::string& name);
std::vector<std::string> coordinate_names(const Model& model);

struct NamedComponent {
  std::string name;
  JointComponent component;
};
std::vector<NamedComponent> coordinates_of(const Model& model);  // all of them

}  // namespace armature::internal
