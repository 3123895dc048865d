// How a message begins about an integration that has come to its end too early.
#pragma once

#include <string>

namespace armature::internal {

std::string stuck_at(double t);  // "the integration cannot continue from t = 0.5 s, however small the step"

}  // namespace armature::internal
