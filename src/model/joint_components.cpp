#include "model/joint_components.hpp"

#include <algorithm>

#include "model/joint_kinds.hpp"

namespace armature::internal {

std::vector<JointComponent> components_of(JointType type) {
  std::vector<JointComponent> components;
  for (const JointWords::Coordinate& coordinate : words_of(type).coordinates)
    if (coordinate.name)
      components.push_back(
          {coordinate.name, coordinate.measure == JointWords::length, coordinate.measure == JointWords::quaternion});
  return components;
}

namespace {

// Of a beam that bends far: the turn of each element, and how its curvature changes along it (mechanics/large_beam_basis.hpp).
std::vector<JointComponent> turns_of(const Beam& beam, BeamField field) {
  const char* spatial[] = {"bendy", "bendz", "twist", "stretch"};
  const bool bends = field == BeamField::bend_y || field == BeamField::bend_z, stretches = field == BeamField::stretch;
  const std::string word = bends && beam.planar ? "bend" : spatial[static_cast<int>(field)];
  std::vector<JointComponent> components;
  for (int e = 1; e <= beam.elements; ++e) {
    components.push_back({word + std::to_string(e), stretches});
    for (int k = 1; k <= 3 && !stretches; ++k)
      components.push_back({word + std::to_string(e) + "_" + std::to_string(k)});
  }
  return components;
}

}  // namespace

// Clamped: nothing moves at the first end. Chord: the two ends do not leave the chord.
std::vector<JointComponent> components_of(const Beam& beam, const Beam::Motion& motion) {
  if (beam.large) return turns_of(beam, motion.field);
  const bool bends = motion.field == BeamField::bend_y || motion.field == BeamField::bend_z;
  const bool is_length = motion.field != BeamField::twist;
  const std::string word = motion.field == BeamField::twist ? "twist" : bends ? "" : "stretch";
  const std::string axis = !bends || beam.planar ? "" : motion.field == BeamField::bend_y ? "y" : "z";
  std::vector<JointComponent> components;
  for (int mode = 1; mode <= motion.modes; ++mode)
    components.push_back({word + "mode" + axis + std::to_string(mode), is_length});
  if (motion.modes > 0) return components;
  for (int node = 0; node <= beam.elements; ++node) {
    const bool first = node == 0, last = node == beam.elements;
    const std::string number = axis + std::to_string(node);
    if (!first && !(bends && beam.chord && last)) components.push_back({(bends ? "w" : word) + number, is_length});
    if (bends && (!first || beam.chord)) components.push_back({"slope" + number});
  }
  return components;
}

std::vector<JointComponent> components_of(const Beam& beam) {
  std::vector<JointComponent> all;
  for (const Beam::Motion& motion : beam.motions)
    for (const JointComponent& component : components_of(beam, motion)) all.push_back(component);
  return all;
}

// In the order of JointType.
const std::vector<std::string>& joint_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const JointWords& words : joint_words()) all.emplace_back(words.name);
    return all;
  }();
  return names;
}

std::optional<JointType> joint_type(const std::string& word) {
  const std::vector<std::string>& names = joint_type_names();
  const auto place = std::find(names.begin(), names.end(), word);
  if (place == names.end()) return std::nullopt;
  return static_cast<JointType>(place - names.begin());
}

std::string coordinate_name(const Joint& joint, const JointComponent& component) {
  return component.name.empty() ? joint.name : joint.name + "." + component.name;
}

std::vector<NamedComponent> coordinates_of(const Model& model) {
  std::vector<NamedComponent> all;
  for (const Joint& joint : model.joints)
    for (const JointComponent& component : components_of(joint.type))
      all.push_back({coordinate_name(joint, component), component});
  for (const Body& body : model.bodies)
    if (body.beam)
      for (const JointComponent& component : components_of(*body.beam))
        all.push_back({body.name + "." + component.name, component});
  for (const LagrangianSection::Coordinate& coordinate : model.lagrangian.coordinates)
    all.push_back({coordinate.name, {"", coordinate.is_length}});
  return all;
}

std::optional<JointComponent> find_coordinate(const Model& model, const std::string& name) {
  const std::string owner = name.substr(0, name.find('.'));
  const auto among = [&](const std::vector<JointComponent>& components) -> std::optional<JointComponent> {
    for (const JointComponent& component : components)
      if ((component.name.empty() ? owner : owner + "." + component.name) == name) return component;
    return std::nullopt;
  };
  for (const Joint& joint : model.joints)
    if (joint.name == owner)
      if (const auto found = among(components_of(joint.type))) return found;
  for (const Body& body : model.bodies)
    if (body.beam && body.name == owner)
      if (const auto found = among(components_of(*body.beam))) return found;
  for (const LagrangianSection::Coordinate& coordinate : model.lagrangian.coordinates)
    if (coordinate.name == name) return JointComponent{"", coordinate.is_length};
  return std::nullopt;
}

std::vector<std::string> coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (const NamedComponent& coordinate : coordinates_of(model)) names.push_back(coordinate.name);
  return names;
}

}  // namespace armature::internal
