// What the traced solve says of its pivots in each of eight lanes; see SystemEvaluator::Traced.
#pragma once

#include "expression/lanes.hpp"
#include "system/system.hpp"

namespace armature {

// pivots: those of M (nv), of S (m), and the scales of these. ratio: the smallest of S over its scale, 1 at most.
// Returns the lanes in which all pivots are positive.
LaneMask pivot_ratios(int nv, int m, const LaneRow* pivots, LaneRow& ratio);

// Lanes in which a traced acceleration (its outputs) is all that Dynamics would do there.
LaneMask regular_accelerations(const System& system, const LaneRow* out);

// xdot from the outputs of a traced acceleration, in some lanes.
void copy_derivative(LaneMask lanes, const System& system, const LaneRow* out, LaneRow* xdot);

}  // namespace armature
