// What the traced solve says of its pivots in each of eight lanes; see SystemEvaluator::Traced.
#pragma once

#include "expression/lanes.hpp"
#include "system/kernel_views.hpp"
#include "system/system.hpp"

namespace armature {

// ratio: the smallest pivot of S (m) over its scale, 1 at most. Returns the lanes in which all pivots, those of M (nv) too, are
// positive.
LaneMask pivot_ratios(int nv, int m, const PivotsView<lane_count>& view, LaneRow& ratio);

// Lanes in which a traced acceleration is all that Dynamics would do there.
LaneMask regular_accelerations(const System& system, const AccelerationView<lane_count>& view);

// xdot from a traced acceleration, in some lanes.
void copy_derivative(LaneMask lanes, const Layout& layout, const RatesView<lane_count>& rates, LaneRow* xdot);

}  // namespace armature
