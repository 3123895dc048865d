// Where everything of a scene is in one frame.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "report/scene.hpp"

namespace armature::internal::plot {

class PosedScene {
 public:
  // bend: deflections of beams are drawn so many times larger.
  PosedScene(const Scene& scene, std::vector<float> frame, double bend = 1);

  const Scene& scene() const { return *scene_; }
  Eigen::Vector3d place(const ScenePlace& place) const;  // on a beam: on its bent axis
  Eigen::Vector3d on_body(int body, const Triple& at) const;
  Eigen::Vector3d direction(
      int body, const Triple& along) const;  // from the body's axes (-1: the ground's) to those of the ground
  Eigen::Vector3d in_body(int body, const Eigen::Vector3d& along) const;  // and back
  Eigen::Vector3d point(int offset) const;                                // of the frame
  std::vector<Eigen::Vector3d> beam_points(int body) const;
  std::vector<double> beam_loads(int body) const;  // sizes of the stress or bending moment at these points

  // Places that the drawing of a body without a shape must reach, each once: its joints, links and points; its center if these are too few.
  std::vector<Eigen::Vector3d> reached(int body) const;
  Eigen::Vector3d axis(const SceneJoint& joint) const { return direction(joint.a.body, joint.axis).normalized(); }
  double slide(const SceneJoint& joint) const;  // how far b is from a along the axis, m

 private:
  Eigen::Quaterniond turn(int body) const;

  const Scene* scene_;
  std::vector<float> frame_;
  double bend_;
};

inline Eigen::Vector3d to_vector(const Triple& x) { return {x[0], x[1], x[2]}; }

}  // namespace armature::internal::plot
