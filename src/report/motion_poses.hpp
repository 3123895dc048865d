// The poses of a motion, the paths of its points, and what all poses of a picture have in common.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/drawing.hpp"
#include "report/machine_drawing.hpp"
#include "report/motion_rows.hpp"
#include "report/posed_scene.hpp"
#include "report/projection.hpp"
#include "report/scene.hpp"

namespace armature::internal::plot {

class MotionPoses {
 public:
  MotionPoses(const Model& model, const MotionRows& rows, double bend);

  const Scene& scene() const { return scene_; }
  const MotionRows& rows() const { return rows_; }

  PosedScene at(double t) { return of_row(rows_.row_at(t)); }
  PosedScene of_row(const std::vector<double>& row);

 private:
  Scene scene_;
  const MotionRows& rows_;
  double bend_;
  Scene::Frames frames_;
};

// The path of a point: of a body ("platform.C"), of a joint, or of what the motion has recorded.
class MotionPath {
 public:
  MotionPath(const std::string& name, const MotionPoses& poses);
  std::vector<Eigen::Vector3d> points(MotionPoses& poses, double from, double to) const;

 private:
  Eigen::Vector3d point(MotionPoses& poses, double t) const;
  [[noreturn]] void refuse(const MotionPoses& poses) const;

  std::string name_;
  std::optional<ScenePlace> place_;
  bool recorded_ = false;
};

// What the poses that it includes have in common: the room that they take, and the look of the machine.
class MotionRange {
 public:
  MotionRange(const Scene& scene, const Projection& projection, bool stress);
  void include(const PosedScene& pose);
  void include_motion(const PosedScene& pose);  // without the room that it takes, which meshes make dear
  void include(const Eigen::Vector3d& point);

  Point low, high;
  MachineLook look;

 private:
  void include_planes(const PosedScene& pose);
  void include_slides(const PosedScene& pose);
  void include_loads(const PosedScene& pose);

  Projection projection_;
};

}  // namespace armature::internal::plot
