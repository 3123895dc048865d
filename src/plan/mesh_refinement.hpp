// A finer mesh for a plan: more nodes where an interval errs by more than its share, and where an input switches.
#pragma once

#include "plan/collocation.hpp"

namespace armature::internal {

// Into how many parts each interval is cut. errors: of each by itself (simulate_plan); reduction: by which the sum of all should shrink,
// below 1. switches: also where the slope of an input changes much.
std::vector<int> cuts(const Collocation& collocation, const PlannedMotion& motion, const std::vector<double>& errors,
                      double reduction, bool switches);

// The same motion on the finer mesh.
PlannedMotion on_finer_mesh(const PlannedMotion& motion, const std::vector<int>& cuts);

}  // namespace armature::internal
