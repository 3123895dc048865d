// A torque or force on a coordinate, acting from a to b, given by a formula.
#pragma once

#include "model/force_element.hpp"

namespace armature::internal {

ForceElement make_effort(const std::string& name, Location where, const std::string& on, const Formula& is);

}  // namespace armature::internal
