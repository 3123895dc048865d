// A machine drawn at several times of a run, one pose over the other: bars and plates from its joints, beams bent, the path of
// a point.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "report/drawing.hpp"

namespace armature::internal::plot {

struct PoseOptions {
  std::vector<double> times;  // s; the nearest recorded rows are drawn
  std::string trace = {};     // a point whose path is drawn: "platform.C"; empty: none
  double bend = 1;            // deflections of beams are drawn so many times larger
  std::string title = {};
  double width = 454, height = 340;  // points, at most
};

// The run in `folder` of a model. Spatial machines are seen from the side, a little from above. Throws RecordError.
Drawing drawing_of_poses(const Model& model, const std::filesystem::path& folder, const PoseOptions& options);

}  // namespace armature::internal::plot
