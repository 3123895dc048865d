// What drives the joints of a scene, and the springs, dampers and end stops on them.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>

#include "model/joint_kinds.hpp"
#include "report/formula_joints.hpp"
#include "report/scene_builder.hpp"
#include "report/solids.hpp"

namespace armature::internal {
namespace {

Triple triple_of(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

bool is_on(const std::string& coordinate, const std::string& joint) {
  return coordinate == joint || coordinate.starts_with(joint + ".");
}

std::string drive_of(const Model& model, const std::string& joint) {
  const auto drives_joint = [&](const Drive& drive) { return is_on(drive.on, joint); };
  if (const auto drive = std::ranges::find_if(model.drives, drives_joint); drive != model.drives.end())
    return drive->kind->type() == "hydraulic_cylinder" ? "cylinder" : "motor";
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

bool has_brake(const Model& model, const std::string& joint) {
  return std::ranges::any_of(model.forces, [&](const ForceElement& element) {
    return std::string_view(element.kind->type()) == "brake" && std::ranges::count(element.on, joint) > 0;
  });
}

bool has_spring(const Model& model, const Joint& joint, bool damping) {
  const auto by_element = [&](const JointElement& element) {
    return (damping ? element.damping : element.stiffness).given();
  };
  const auto by_force = [&](const ForceElement& element) {
    return element.kind->type() == "torsion_spring" && element.values[damping ? "damping" : "stiffness"].given() &&
           std::ranges::any_of(element.on, [&](const std::string& on) { return is_on(on, joint.name); });
  };
  return std::ranges::any_of(joint.elements, by_element) || std::ranges::any_of(model.forces, by_force);
}

// How far a shape reaches along a line that goes through it, both ways.
void widen_shaft(const SceneShape& shape, const Eigen::Vector3d& from, const Eigen::Vector3d& axis,
                 std::array<double, 2>& shaft) {
  const std::vector<Eigen::Vector3d> points = plot::points_around(shape);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& point : points) middle += (point - from) / static_cast<double>(points.size());
  const Eigen::Vector3d aside = middle - axis * axis.dot(middle);
  double half_width = 0;
  for (const Eigen::Vector3d& point : points)
    half_width = std::max(half_width, (point - from - middle).dot(-aside.normalized()));
  if (aside.norm() > half_width && aside.norm() > 1e-9) return;  // the line misses it
  for (const Eigen::Vector3d& point : points)
    for (const int end : {0, 1})
      shaft[static_cast<std::size_t>(end)] =
          std::max(shaft[static_cast<std::size_t>(end)], (end == 0 ? -1 : 1) * axis.dot(point - from));
}

}  // namespace

void Scene::Builder::add_drives(Mechanism& mechanism) {
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    SceneJoint& out = scene_.joints[k];
    out.drive = drive_of(model_, joint.name);
    out.driven = !out.drive.empty();
    if (has_brake(model_, joint.name)) {
      if (out.type == "revolute") out.brake = drawn_radius(scene_, out.b.body);
      if (out.type == "prismatic") out.brake = 0;
    }
    const auto frame = std::ranges::find(model_.reaction_frames, joint.name, &ReactionFrame::joint);
    if (frame != model_.reaction_frames.end())
      out.reaction_axes = frame->axes == ReactionFrame::Side::first    ? "first"
                          : frame->axes == ReactionFrame::Side::second ? "second"
                                                                       : "ground";
    out.spring = has_spring(model_, joint, false), out.damper = has_spring(model_, joint, true);
    if (out.glyph == "pin") add_shaft(k, mechanism);
    if (joint.elements.size() == 1 && words_of(joint.type).freedoms() == 1) add_stops(k, mechanism);
  }
}

Eigen::Matrix3d Scene::Builder::align_of(std::size_t k, Mechanism& mechanism) {
  Eigen::Matrix3d align;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) align(i, j) = constant(mechanism.geometry_of(k).align(i, j), mechanism.builder(), "");
  return align;
}

void Scene::Builder::add_shaft(std::size_t k, Mechanism& mechanism) {
  SceneJoint& out = scene_.joints[k];
  const Eigen::Vector3d axis = vector_of(out.axis).normalized(), in_b = align_of(k, mechanism).transpose() * axis;
  for (const auto& [place, along] : {std::pair(out.a, axis), std::pair(out.b, in_b)})
    if (place.body >= 0)
      for (const SceneShape& shape : scene_.bodies[static_cast<std::size_t>(place.body)].shapes)
        widen_shaft(shape, vector_of(place.at), along, out.shaft);
}

void Scene::Builder::add_stops(std::size_t k, Mechanism& mechanism) {
  SceneJoint& out = scene_.joints[k];
  const JointElement& element = model_.joints[k].elements[0];
  const auto path = [&](int end) { return fmt::format("joints/{}/stops/{}", k, end); };
  if (element.lower.given()) out.stops[0] = number(element.lower, mechanism.builder(), path(0));
  if (element.upper.given()) out.stops[1] = number(element.upper, mechanism.builder(), path(1));
  if ((!out.stops[0] && !out.stops[1]) || out.glyph != "pin") return;
  const Eigen::Matrix3d align = align_of(k, mechanism);
  const Eigen::Vector3d axis = vector_of(out.axis).normalized();
  // the stops are on a, and b's arm meets them; where b is the ground it is the other way round
  const bool on_first = out.b.body >= 0;
  const Eigen::Vector3d about = on_first ? axis : Eigen::Vector3d(-align.transpose() * axis);
  const Eigen::Vector3d far =
      vector_of(on_first ? farthest_place(out.b.body, out.b) : farthest_place(out.a.body, out.a));
  const Eigen::Vector3d turned = on_first ? Eigen::Vector3d(align * far) : Eigen::Vector3d(align.transpose() * far);
  const Eigen::Vector3d arm = turned - about * about.dot(turned);
  if (arm.norm() > 1e-6 * turned.norm())
    out.stop_arm = {on_first ? out.a.body : out.b.body, triple_of(about), triple_of(arm.normalized())};
}

// The way from a place of a body to the farthest one that joints, points or its mass reach, in the body's axes.
Triple Scene::Builder::farthest_place(int body, const ScenePlace& from) const {
  const SceneBody& of = scene_.bodies[static_cast<std::size_t>(body)];
  std::vector<Triple> places{of.center};
  if (of.beam) places.push_back({of.beam->length, 0, 0});
  for (const auto& [name, at] : of.points) places.push_back(at);
  for (const SceneJoint& joint : scene_.joints)
    for (const ScenePlace* place : {&joint.a, &joint.b})
      if (place->body == body) places.push_back(place->at);
  Eigen::Vector3d farthest = Eigen::Vector3d::Zero();
  for (const Triple& place : places)
    if (const Eigen::Vector3d way = vector_of(place) - vector_of(from.at); way.norm() > farthest.norm()) farthest = way;
  return triple_of(farthest);
}

}  // namespace armature::internal
