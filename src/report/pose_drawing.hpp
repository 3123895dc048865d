// A machine drawn at times of a motion: one pose, or several one over the other, with traces of points, dimensions, names and arrows.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "report/drawing.hpp"
#include "report/motion_rows.hpp"

namespace armature::internal::plot {

struct PoseOptions {
  std::vector<double> times;             // s
  std::vector<std::string> traces = {};  // points whose paths are drawn: "platform.C"
  double bend = 1;                       // deflections of beams are drawn so many times larger
  std::string title = {};
  double width = 454, height = 340;  // points, at most
  std::string view = {};             // of view_names(); empty: chosen
  bool dimensions = false, names = false, centers = false, frames = false, velocities = false, reactions = false;
  bool stress = false;  // beams in the colors of their stress, or bending moment where the section has no shape
  bool free = false;    // what can move at a singular pose
};

// Of a single pose each body has a color of its own, of several each pose. Throws RecordError and RequestError.
Drawing drawing_of_poses(const Model& model, const MotionRows& rows, const PoseOptions& options);

// Pictures of one size and one scale, that of the whole motion.
class MotionPictures {
 public:
  // Times of `options` are the first and the last.
  MotionPictures(const Model& model, const MotionRows& rows, const PoseOptions& options);
  ~MotionPictures();
  Drawing at(double t) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace armature::internal::plot
