// What the parts of a picture of a machine share: the pose, its place in the picture, and what has been drawn once already.
#pragma once

#include <vector>

#include "report/machine_drawing.hpp"
#include "report/symbols.hpp"

namespace armature::internal::plot {

class MachineSketch {
 public:
  MachineSketch(const PosedScene& pose, const MachineLook& look, Sketch& sketch);

  const PosedScene& pose;
  const Scene& scene;
  const MachineLook& look;
  Sketch& sketch;
  const Placement& at;
  const double u;                                          // of the sketch
  const bool flat;                                         // a planar machine, seen along its normal
  const Point down;                                        // in the picture
  std::vector<Eigen::Vector3d> grounds, springs, dampers;  // where they are drawn already

  // In a planar picture layers decide what is above, in space the depth does.
  SymbolPlace over(Sketch::Layer layer, const Eigen::Vector3d& place, double lift = 0) const;
  double body_depth(int k, const Eigen::Vector3d& middle) const;
  bool is_shaped(int body) const;
  Eigen::Vector3d normal() const;                          // of the plane of the machine
  Eigen::Vector3d in_space(const Point& direction) const;  // of the picture, in the plane of the picture

 private:
  bool seen_flat() const;
  Point seen_down() const;
};

inline bool is_slider(const SceneJoint& joint) { return joint.glyph == "slider"; }

}  // namespace armature::internal::plot
