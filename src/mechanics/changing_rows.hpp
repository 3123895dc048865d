// Constraint rows whose law changes at events, since they hold comparisons.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"

namespace armature::internal {

inline constexpr const char* impact_work =
    "work.impact";  // the state that holds the work of impulses, where there are such rows

std::vector<int> changing_rows(const Equations& equations);

}  // namespace armature::internal
