#include "dynamics/pivot_lanes.hpp"

namespace armature {

namespace {

using Numbers = double __attribute__((vector_size(sizeof(LaneRow)), may_alias));
using Signs = std::int64_t __attribute__((vector_size(sizeof(LaneRow)), may_alias));

ARMATURE_INLINE const Numbers& numbers(const LaneRow& row) { return reinterpret_cast<const Numbers&>(row); }
ARMATURE_INLINE Numbers& numbers(LaneRow& row) { return reinterpret_cast<Numbers&>(row); }

}  // namespace

ARMATURE_VECTOR_WIDTHS LaneMask pivot_ratios(int nv, int m, const LaneRow* pivots, LaneRow& ratio) {
  Signs positive = Signs{} - 1;
  for (int i = 0; i < nv + m; ++i) positive &= numbers(pivots[i]) > 0;
  Numbers least = Numbers{} + 1;
  for (int r = 0; r < m; ++r) {
    const Numbers share = numbers(pivots[nv + r]) / numbers(pivots[nv + m + r]);
    least = share < least ? share : least;
  }
  numbers(ratio) = least;
  LaneMask mask = 0;
  for (int k = 0; k < lane_count; ++k) mask |= static_cast<LaneMask>(positive[k] & 1) << k;
  return mask;
}

}  // namespace armature
