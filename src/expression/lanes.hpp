// Eight states at once. A row holds one number of each of them, lane by lane, as programs on eight lanes take and leave
// them: one register of AVX-512, two of AVX2. What is done to a row is done to each lane with the same operations in the
// same order as for a single state: the same bits.
#pragma once

#include <cstdint>

#include "step/row.hpp"

// One version of a function for every vector width of the machine, of which the loader picks the best.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ARMATURE_VECTOR_WIDTHS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define ARMATURE_VECTOR_WIDTHS
#endif
#define ARMATURE_INLINE inline __attribute__((always_inline))

namespace armature {

inline constexpr int lane_count = 8;

using LaneRow = step::Row<lane_count>;

// A set of lanes: bit k is lane k.
using LaneMask = std::uint32_t;
inline constexpr LaneMask all_lanes = (1u << lane_count) - 1;
inline bool has(LaneMask lanes, int k) { return lanes >> k & 1; }

template <class Action>
void for_each_lane(LaneMask lanes, const Action& action) {
  for (int k = 0; k < lane_count; ++k)
    if (has(lanes, k)) action(k);
}

}  // namespace armature
