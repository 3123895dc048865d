// What is drawn over a machine on request: paths, names, centers of mass, frames, arrows of velocities and reactions, dimensions.
#pragma once

#include <functional>
#include <memory>

#include "report/center_velocities.hpp"
#include "report/pose_drawing.hpp"
#include "report/posed_scene.hpp"
#include "report/sketch.hpp"

namespace armature::internal::plot {

class PoseMarks {
 public:
  using PoseAt = std::function<PosedScene(double t)>;

  // The longest arrow belongs to the largest velocity, or reaction, at these times. Throws RecordError where reactions are wanted and
  // the motion has none. steady: names stay where they are while the machine moves.
  PoseMarks(const Model& model, const MotionRows& rows, const PoseAt& pose_at, const PoseOptions& options,
            const std::vector<double>& times, bool steady = false);

  void draw(const PosedScene& pose, double t, Sketch& sketch) const;

 private:
  void require_reactions() const;
  void include(const PosedScene& pose, double t);
  std::vector<Eigen::Vector3d> velocities(double t) const;  // of centers by body, m/s; empty: not drawn
  Eigen::Vector3d reaction(const SceneJoint& joint, const PosedScene& pose,
                           double t) const;  // N, on b; zero: not recorded
  bool is_center_drawn(const SceneBody& body) const;
  void draw_names(const PosedScene& pose, Sketch& sketch) const;
  void draw_frames(const PosedScene& pose, Sketch& sketch) const;

  const Model& model_;
  const MotionRows& rows_;
  const PoseOptions& options_;
  const bool steady_;
  std::unique_ptr<CenterVelocities> velocities_;
  double largest_velocity_ = 0, largest_reaction_ = 0;
};

void draw_path(const std::vector<Eigen::Vector3d>& path, std::size_t index, Sketch& sketch);

// Arrows from a pose toward one a little further along.
void draw_free_motion(const PosedScene& pose, const PosedScene& moved, Sketch& sketch);

// Lengths between the joints of each body, and between pivots on the ground. Of equal bodies (rod1, rod2) the first.
void draw_dimensions(const PosedScene& pose, Sketch& sketch);

}  // namespace armature::internal::plot
