// The current limits of windings with inductance.
#pragma once

#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

std::vector<Prepared::CurrentLimit> current_limits(const Model& model);  // those that are constants

}  // namespace armature::internal
