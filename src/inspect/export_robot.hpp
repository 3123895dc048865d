// A model as a robot in a format of others: URDF, SDFormat or MJCF, with the pose of its start.
#pragma once

#include <string>
#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

struct ExportedRobot {
  std::string text;
  std::vector<std::string> not_exported;  // sentences
};

// format: urdf, sdf or mjcf. The start is assembled. Throws RequestError where the model has no rigid bodies.
ExportedRobot export_robot(const Model& model, const Prepared& prepared, const std::string& format);

}  // namespace armature::internal
