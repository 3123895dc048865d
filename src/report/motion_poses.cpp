#include "report/motion_poses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/lower.hpp"
#include "record/record_error.hpp"
#include "report/machine_extent.hpp"

namespace armature::internal::plot {

using Eigen::Vector3d;

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t most_path_points = 2000;

}  // namespace

MotionPoses::MotionPoses(const Model& model, const MotionRows& rows, double bend)
    : scene_(model), rows_(rows), bend_(bend), frames_(scene_, rows.channels()) {
  if (scene_.bodies.empty() && scene_.drawings.empty())
    throw RecordError(fmt::format(
        "{}: there is nothing to draw: the model has no bodies; a Lagrangian can name lines under draw", model.file));
}

PosedScene MotionPoses::of_row(const std::vector<double>& row) {
  std::vector<float> frame;
  frames_.append(row, frame);
  return {scene_, std::move(frame), bend_};
}

MotionPath::MotionPath(const std::string& name, const MotionPoses& poses) : name_(name) {
  const Scene& scene = poses.scene();
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    for (const auto& [point, at] : scene.bodies[k].points)
      if (scene.bodies[k].name + "." + point == name) place_ = ScenePlace{static_cast<int>(k), at};
  for (const SceneJoint& joint : scene.joints)
    if (joint.name == name) place_ = joint.b;
  recorded_ = !place_ && poses.rows().find(name + ".x");
  if (!place_ && !recorded_) refuse(poses);
}

std::vector<Vector3d> MotionPath::points(MotionPoses& poses, double from, double to) const {
  std::vector<Vector3d> path;
  const std::vector<double>& times = poses.rows().t();
  const std::size_t every = std::max<std::size_t>(1, times.size() / most_path_points);
  for (std::size_t k = 0; k < times.size(); k += every)
    if (times[k] > from && times[k] < to) path.push_back(point(poses, times[k]));
  path.insert(path.begin(), point(poses, from)), path.push_back(point(poses, to));
  return path;
}

Vector3d MotionPath::point(MotionPoses& poses, double t) const {
  if (place_) return poses.at(t).place(*place_);
  const auto part = [&](const char* axis) {
    const double value = poses.rows().value(name_ + axis, t);
    return std::isnan(value) ? 0 : value;
  };
  return {part(".x"), part(".y"), part(".z")};
}

void MotionPath::refuse(const MotionPoses& poses) const {
  std::vector<std::string> names;
  for (const SceneBody& body : poses.scene().bodies)
    for (const auto& [point, at] : body.points) names.push_back(body.name + "." + point);
  for (const SceneJoint& joint : poses.scene().joints) names.push_back(joint.name);
  const auto guess = nearest_name(name_, names);
  throw RecordError(fmt::format("{}: there is no point '{}'{}", poses.rows().from(), name_,
                                guess ? fmt::format(" (did you mean '{}'?)", *guess) : ""));
}

MotionRange::MotionRange(const Scene& scene, const Projection& projection, bool stress)
    : low{unbounded, unbounded}, high{-unbounded, -unbounded}, projection_(projection) {
  if (stress) look.largest_load.emplace();
  look.travel.assign(scene.joints.size(), {unbounded, -unbounded});
  look.planes.resize(scene.drawings.size());
}

void MotionRange::include(const PosedScene& pose) {
  if (look.posts_in_front.empty())
    for (const SceneJoint& joint : pose.scene().joints) look.posts_in_front.push_back(post_in_front(pose, joint));
  for (const Vector3d& point : extent_of(pose)) include(point);
  include_motion(pose);
}

void MotionRange::include_motion(const PosedScene& pose) {
  include_planes(pose);
  include_slides(pose);
  include_loads(pose);
}

void MotionRange::include(const Vector3d& point) {
  const Point seen = projection_(point);
  low = {std::min(low.x, seen.x), std::min(low.y, seen.y)}, high = {std::max(high.x, seen.x), std::max(high.y, seen.y)};
}

// A plane on the ground is drawn wherever something may touch it.
void MotionRange::include_planes(const PosedScene& pose) {
  for (std::size_t k = 0; k < pose.scene().drawings.size(); ++k) {
    const SceneDrawing& drawing = pose.scene().drawings[k];
    if (!drawing.fixed) continue;
    const Vector3d a = pose.point(drawing.offset), b = pose.point(drawing.offset + 3), along = b - a;
    auto& known = look.planes[k];
    if (!known) known = {a, b};
    if (along.dot(a - (*known)[0]) < 0) (*known)[0] = a;
    if (along.dot(b - (*known)[1]) > 0) (*known)[1] = b;
  }
}

// A guide reaches over all that its slider takes, and to its end stops.
void MotionRange::include_slides(const PosedScene& pose) {
  const Scene& scene = pose.scene();
  for (std::size_t k = 0; k < scene.joints.size(); ++k) {
    const double slide = pose.slide(scene.joints[k]);
    auto& [low, high] = look.travel[k];
    if (std::isfinite(slide)) low = std::min(low, slide), high = std::max(high, slide);
    low = std::min(low, scene.joints[k].stops[0].value_or(low)),
    high = std::max(high, scene.joints[k].stops[1].value_or(high));
  }
}

// The largest of them, by which the colors of beams and the arrows of forces are scaled.
void MotionRange::include_loads(const PosedScene& pose) {
  const Scene& scene = pose.scene();
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (look.largest_load && scene.bodies[k].beam)
      for (const double load : pose.beam_loads(static_cast<int>(k))) {
        double& largest = (*look.largest_load)[scene.bodies[k].beam->is_stress ? 0 : 1];
        if (std::isfinite(load)) largest = std::max(largest, load);
      }
  for (const SceneLoad& load : scene.loads) {
    double& largest = load.kind == "force" ? look.largest_force : look.largest_torque;
    if (const double size = load.offset < 0 ? 0 : pose.point(load.offset).norm(); std::isfinite(size))
      largest = std::max(largest, size);
  }
}

}  // namespace armature::internal::plot
