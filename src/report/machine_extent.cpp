#include "report/machine_extent.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "report/machine_sketch.hpp"
#include "report/solids.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

// The block and the shapes of its body where it meets an end stop.
void add_reach_at_stop(const PosedScene& pose, const SceneJoint& joint, double stop, std::vector<Vector3d>& points) {
  const Vector3d moved = (stop - pose.slide(joint)) * pose.axis(joint);
  points.push_back(pose.place(joint.b) + moved);
  if (joint.b.body < 0) return;
  for (const SceneShape& shape : pose.scene().bodies[static_cast<std::size_t>(joint.b.body)].shapes)
    for (const Vector3d& point : points_around(shape))
      points.push_back(pose.on_body(joint.b.body, {point.x(), point.y(), point.z()}) + moved);
}

// Around pitch circles.
std::vector<Vector3d> extent_of_coupling(const PosedScene& pose, const SceneCoupling& coupling) {
  std::vector<Vector3d> points;
  for (const auto& [joint, radius] :
       {std::pair{coupling.a, coupling.radius_a}, std::pair{coupling.b, coupling.radius_b}}) {
    const SceneJoint& of = pose.scene().joints[static_cast<std::size_t>(joint)];
    if (coupling.kind == "screw" || coupling.kind == "shaft" || (coupling.kind == "worm" && joint == coupling.a) ||
        !(std::abs(radius) > 0))
      continue;
    const Vector3d middle = pose.place(of.a), axis = pose.axis(of), first = axis.unitOrthogonal(),
                   second = axis.cross(first);
    for (int k = 0; k < 24; ++k)
      points.emplace_back(middle + std::abs(radius) * (std::cos(std::numbers::pi * k / 12) * first +
                                                       std::sin(std::numbers::pi * k / 12) * second));
  }
  return points;
}

}  // namespace

bool post_in_front(const PosedScene& pose, const SceneJoint& joint) {
  const Scene& scene = pose.scene();
  if (!is_slider(joint) || joint.driven) return false;  // its arrow is in front
  const Vector3d block = pose.place(joint.b), axis = pose.axis(joint);
  bool behind = false, in_front = false;
  const auto look = [&](const Vector3d& place) {
    const double along = axis.dot(place - block), aside = (place - block - along * axis).norm();
    if (aside < 0.5 * std::abs(along)) (along < 0 ? behind : in_front) = true;
  };
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k)
    if (k != joint.b.body && k != joint.a.body)
      for (const Vector3d& place : pose.reached(k)) look(place);
  return behind && !in_front;
}

std::vector<Vector3d> extent_of(const PosedScene& pose) {
  std::vector<Vector3d> points;
  const Scene& scene = pose.scene();
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k) {
    const SceneBody& body = scene.bodies[static_cast<std::size_t>(k)];
    if (body.beam)
      for (const Vector3d& point : pose.beam_points(k)) points.push_back(point);
    for (const SceneShape& shape : body.shapes)
      for (const Vector3d& point : points_around(shape))
        points.push_back(pose.on_body(k, {point.x(), point.y(), point.z()}));
    if (!body.beam)
      for (const Vector3d& place : pose.reached(k)) points.push_back(place);
  }
  for (const Vector3d& place : pose.reached(-1)) points.push_back(place);
  for (const SceneJoint& joint : scene.joints)
    for (const auto& stop : joint.stops)
      if (stop && is_slider(joint)) add_reach_at_stop(pose, joint, *stop, points);
  for (const SceneDrawing& drawing : scene.drawings)
    for (int k = 0; k < drawing.points; ++k) points.push_back(pose.point(drawing.offset + 3 * k));
  for (const SceneProfile& profile : scene.profiles)
    for (const Triple& place : profile.outline) points.push_back(pose.on_body(profile.body, place));
  for (const SceneCoupling& coupling : scene.couplings)
    for (const Vector3d& point : extent_of_coupling(pose, coupling)) points.push_back(point);
  std::erase_if(points, [](const Vector3d& point) { return !point.allFinite(); });
  return points;
}

namespace {

// Of the bars of a machine, m; infinite of bodies with shapes alone.
double typical_length(const PosedScene& pose) {
  std::vector<double> lengths;
  const Scene& scene = pose.scene();
  for (int k = 0; k < static_cast<int>(scene.bodies.size()); ++k) {
    const SceneBody& body = scene.bodies[static_cast<std::size_t>(k)];
    if (body.beam) lengths.push_back(body.beam->length);
    const std::vector<Vector3d> places = body.beam ? std::vector<Vector3d>{} : pose.reached(k);
    for (std::size_t i = 1; i < places.size(); ++i) lengths.push_back((places[i] - places[0]).norm());
  }
  std::erase_if(lengths, [](double length) { return !(length > 1e-9); });
  std::ranges::sort(lengths);
  return lengths.empty() ? std::numeric_limits<double>::infinity() : lengths[lengths.size() / 2];
}

}  // namespace

double drawing_unit(const PosedScene& pose, double scale) {
  return std::clamp(0.036 * typical_length(pose) * scale, 2.3, 4.2);
}

double page_unit(const PosedScene& pose, double size) {
  const double least = 1e-12;  // m, of a machine of no size
  return std::max(least, std::clamp(0.045 * typical_length(pose), 0.004 * size, 0.016 * size));
}

}  // namespace armature::internal::plot
