// Which plot a channel belongs to: "coordinates", "velocities", "drives", "points", "quantities", "singularities",
// "energies", "errors", "multipliers" or "reactions".
#pragma once

#include <string>

#include "model/model.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

std::string group_of(const Channel& channel, const Model& model);

}  // namespace armature::internal
