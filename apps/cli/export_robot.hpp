// armature export --urdf, --sdf and --mjcf: a machine of rigid bodies in the formats of robotics.
#pragma once

#include <string>

#include "model/model.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal::cli {

// `format`: "urdf", "sdf" or "mjcf". `prepared` has its start. Returns the exit code.
int write_robot(const Model& model, const Prepared& prepared, const std::string& format, const std::string& output,
                bool json);

}  // namespace armature::internal::cli
