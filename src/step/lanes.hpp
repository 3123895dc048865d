// Eight states at once. A row holds one number of each of them, lane by lane, as programs on eight lanes take and leave
// them: one register of AVX-512, two of AVX2. What is done to a row is done to each lane with the same operations in the
// same order as for a single state: the same bits.
#pragma once

#include "step/row.hpp"
#include "step/vector_widths.hpp"

namespace armature::internal {

inline constexpr int lane_count = 8;
using LaneRow = step::Row<lane_count>;

// A set of lanes: bit k is lane k.
using LaneMask = step::Mask<lane_count>;
inline constexpr LaneMask all_lanes = step::all_lanes<lane_count>;
using step::has;

template <class Action>
void for_each_lane(LaneMask lanes, const Action& action) {
  for (int k = 0; k < lane_count; ++k)
    if (has(lanes, k)) action(k);
}

}  // namespace armature::internal
