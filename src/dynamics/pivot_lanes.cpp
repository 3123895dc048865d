#include "dynamics/pivot_lanes.hpp"

#include "dynamics/projection.hpp"
#include "step/arithmetic.hpp"

namespace armature {

namespace {

// Pivot ratio (a sine squared) above which Dynamics does nothing but the traced acceleration: stages are not projected.
constexpr double clearly_regular = 1.001 * Projection::stages_project * Projection::stages_project;

using Numbers = double __attribute__((vector_size(sizeof(LaneRow)), may_alias));
using Signs = std::int64_t __attribute__((vector_size(sizeof(LaneRow)), may_alias));

ARMATURE_INLINE const Numbers& numbers(const LaneRow& row) { return reinterpret_cast<const Numbers&>(row); }
ARMATURE_INLINE Numbers& numbers(LaneRow& row) { return reinterpret_cast<Numbers&>(row); }

ARMATURE_INLINE LaneMask lanes_of(const Signs& all_ones) {
  LaneMask mask = 0;
  for (int k = 0; k < lane_count; ++k) mask |= static_cast<LaneMask>(all_ones[k] & 1) << k;
  return mask;
}

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
  return lanes_of(positive);
}

namespace {

ARMATURE_VECTOR_WIDTHS LaneMask regular_rows(int nv, int m, int rates, const LaneRow* out) {
  const LaneRow *qdot = out + nv + m, *pivots = qdot + rates;
  Numbers rate = {}, pivot = {};  // x - x of all: zero where they are finite
  for (int i = 0; i < nv; ++i) rate += numbers(out[i]) - numbers(out[i]);
  for (int i = 0; i < rates; ++i) rate += numbers(qdot[i]) - numbers(qdot[i]);
  Numbers least = Numbers{} + 1, margin = Numbers{} + 1;
  for (int i = 0; i < nv + m; ++i) {
    const Numbers& here = numbers(pivots[i]);
    pivot += here - here;
    least = here < least ? here : least;
  }
  for (int r = 0; r < m; ++r) {
    const Numbers here = numbers(pivots[nv + r]) - clearly_regular * numbers(pivots[nv + m + r]);
    pivot += here - here;
    margin = here < margin ? here : margin;
  }
  const Signs regular = (rate + pivot == 0) & (least > 0) & (margin >= 0);
  return lanes_of(regular);
}

}  // namespace

LaneMask regular_accelerations(const System& system, const LaneRow* out) {
  const Layout& n = system.layout();
  return regular_rows(n.nv, static_cast<int>(system.options().independent_rows.size()), n.nq + n.nz, out);
}

void copy_derivative(LaneMask lanes, const System& system, const LaneRow* out, LaneRow* xdot) {
  const Layout& n = system.layout();
  const LaneRow* qdot = out + n.nv + system.options().independent_rows.size();
  step::copy(lanes, n.nq, qdot, xdot);
  step::copy(lanes, n.nv, out, xdot + n.nq);
  step::copy(lanes, n.nz, qdot + n.nq, xdot + n.nq + n.nv);
}

}  // namespace armature
