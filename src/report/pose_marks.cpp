#include "report/pose_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "record/record_error.hpp"
#include "report/label_places.hpp"
#include "report/machine_colors.hpp"
#include "report/machine_drawing.hpp"
#include "report/plot_style.hpp"
#include "report/symbols.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr const char *velocity_color = "#0072b2", *reaction_color = "#cc3311", *free_color = "#009e73";

bool has_center(const SceneBody& body) { return body.mass > 0 && !body.beam; }

Vector3d center_of(const PosedScene& pose, std::size_t body) {
  return pose.on_body(static_cast<int>(body), pose.scene().bodies[body].center);
}

void draw_vector(const Vector3d& at, const Vector3d& vector, double largest, const std::string& kind,
                 const std::string& color, Sketch& sketch) {
  if (!(largest > 0) || !vector.allFinite()) return;
  const Point from = sketch.at(at);
  sketch.arrow(Sketch::marks, kind, from, from + longest_arrow / largest * sketch.at.along(vector), color,
               0.4 * sketch.u);
}

}  // namespace

PoseMarks::PoseMarks(const Model& model, const MotionRows& rows, const PoseAt& pose_at, const PoseOptions& options,
                     const std::vector<double>& times, bool steady)
    : model_(model), rows_(rows), options_(options), steady_(steady) {
  if (options.velocities) velocities_ = std::make_unique<CenterVelocities>(model, rows.channels());
  if (options.reactions) require_reactions();
  if (!options.velocities && !options.reactions) return;
  for (double t : times) include(pose_at(t), t);
}

bool PoseMarks::is_center_drawn(const SceneBody& body) const { return options_.centers && has_center(body); }

void PoseMarks::require_reactions() const {
  if (std::ranges::none_of(model_.joints, [&](const Joint& joint) { return rows_.find(joint.name + ".fx"); }))
    throw RecordError(
        fmt::format("{}: has no reactions; name joints under 'record: {{reactions: [...]}}' and run the model again",
                    rows_.from()));
}

void PoseMarks::include(const PosedScene& pose, double t) {
  const std::vector<Vector3d> velocity = velocities(t);
  for (std::size_t k = 0; k < velocity.size(); ++k)
    if (has_center(pose.scene().bodies[k])) largest_velocity_ = std::max(largest_velocity_, velocity[k].norm());
  for (const SceneJoint& joint : pose.scene().joints)
    if (options_.reactions) largest_reaction_ = std::max(largest_reaction_, reaction(joint, pose, t).norm());
}

std::vector<Vector3d> PoseMarks::velocities(double t) const {
  return velocities_ ? velocities_->at(rows_.row_at(t)) : std::vector<Vector3d>{};
}

// Recorded along the axes of the first body, unless the file chooses others.
Vector3d PoseMarks::reaction(const SceneJoint& joint, const PosedScene& pose, double t) const {
  if (!rows_.find(joint.name + ".fx")) return Vector3d::Zero();
  const Triple force{rows_.value(joint.name + ".fx", t), rows_.value(joint.name + ".fy", t),
                     rows_.value(joint.name + ".fz", t)};
  const auto frame = std::ranges::find(model_.reaction_frames, joint.name, &ReactionFrame::joint);
  const ReactionFrame::Side axes = frame == model_.reaction_frames.end() ? ReactionFrame::Side::first : frame->axes;
  const int body = axes == ReactionFrame::Side::first    ? joint.a.body
                   : axes == ReactionFrame::Side::second ? joint.b.body
                                                         : -1;
  const Vector3d vector = pose.direction(body, force);
  return vector.allFinite() ? vector : Vector3d::Zero();
}

void PoseMarks::draw(const PosedScene& pose, double t, Sketch& sketch) const {
  const Scene& scene = pose.scene();
  const std::vector<Vector3d> velocity = velocities(t);
  if (options_.frames) draw_frames(pose, sketch);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (!has_center(scene.bodies[k])) continue;
    const Vector3d center = center_of(pose, k);
    if (options_.velocities) draw_vector(center, velocity[k], largest_velocity_, "velocity", velocity_color, sketch);
    if (is_center_drawn(scene.bodies[k])) draw_center_of_mass(sketch, sketch.at(center));
  }
  if (options_.reactions)
    for (const SceneJoint& joint : scene.joints)
      draw_vector(pose.place(joint.b), reaction(joint, pose, t), largest_reaction_, "reaction", reaction_color, sketch);
  if (options_.names) draw_names(pose, sketch);
}

// Joints first: the name of a body may be anywhere around its center.
void PoseMarks::draw_names(const PosedScene& pose, Sketch& sketch) const {
  const Scene& scene = pose.scene();
  LabelPlaces places(sketch, steady_);
  const auto add = [&](const std::string& name, double size, const std::string& color, const ScenePlace& place,
                       const Point& wanted) {
    places.add({{}, name, size, Text::Anchor::middle, false, false, 0, true, color}, sketch.at(pose.place(place)),
               2 * sketch.u, wanted);
  };
  for (const SceneJoint& joint : scene.joints)
    if (!joint.glyph.empty()) places.keep_free(circle(sketch.at(pose.place(joint.b)), sketch.u));
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (is_center_drawn(scene.bodies[k]))
      places.keep_free(circle(sketch.at(center_of(pose, k)), center_radius(sketch)));
  for (const SceneJoint& joint : scene.joints)
    if (!joint.glyph.empty()) add(joint.name, 0.9 * small_font, pitch_color, joint.b, {0, -1});
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const SceneBody& body = scene.bodies[k];
    const Triple middle = body.beam ? Triple{body.beam->length / 2, 0, 0} : body.center;
    add(body.name, small_font, ink_color, {static_cast<int>(k), middle},
        is_center_drawn(body) ? Point{0, 1} : Point{0, 0});
  }
}

// x orange, y green, z blue, as in the report.
void PoseMarks::draw_frames(const PosedScene& pose, Sketch& sketch) const {
  const char* const colors[] = {"#d55e00", "#009e73", "#0072b2"};
  for (int k = -1; k < static_cast<int>(pose.scene().bodies.size()); ++k)
    for (std::size_t i = 0; i < 3; ++i) {
      Triple axis{};
      axis[i] = 1;
      const Point from = sketch.at(pose.on_body(k, {})), way = 6 * sketch.u * sketch.at.along(pose.direction(k, axis));
      if (length_of(way) > sketch.u) sketch.arrow(Sketch::marks, "frame", from, from + way, colors[i], 0.3 * sketch.u);
    }
}

void draw_path(const std::vector<Vector3d>& path, std::size_t index, Sketch& sketch) {
  std::vector<Point> line;
  for (const Vector3d& point : path)
    if (point.allFinite()) line.push_back(sketch.at(point));
  constexpr std::array colors = {3, 0, 2, 4};  // of the palette
  if (line.size() > 1)
    sketch.line(Sketch::paths, "trace", line, palette[static_cast<std::size_t>(colors[index % colors.size()])], 0.9);
}

// At the centers of bodies and at joints.
void draw_free_motion(const PosedScene& pose, const PosedScene& moved, Sketch& sketch) {
  std::vector<ScenePlace> places;
  const Scene& scene = pose.scene();
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    if (has_center(scene.bodies[k])) places.push_back({static_cast<int>(k), scene.bodies[k].center});
  for (const SceneJoint& joint : scene.joints) places.push_back(joint.b);
  double largest = 0;
  for (const ScenePlace& place : places) largest = std::max(largest, (moved.place(place) - pose.place(place)).norm());
  for (const ScenePlace& place : places)
    if (const Vector3d way = moved.place(place) - pose.place(place); way.norm() > 0.02 * largest)
      draw_vector(pose.place(place), way, largest, "free", free_color, sketch);
}

}  // namespace armature::internal::plot
