// What `draw` and `film` share: how a machine is looked at, and what is drawn over it.
#pragma once

#include <CLI/CLI.hpp>

#include "report/pose_drawing.hpp"

namespace armature::internal::cli {

void add_picture_options(CLI::App& verb, plot::PoseOptions& options);

}  // namespace armature::internal::cli
