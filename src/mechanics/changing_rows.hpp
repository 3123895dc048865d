// Constraint rows whose law changes at events, since they hold comparisons.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"

namespace armature::internal {

std::vector<int> changing_rows(const Equations& equations);

}  // namespace armature::internal
