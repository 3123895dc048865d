#include "dynamics/pivot_lanes.hpp"

#include "dynamics/projection.hpp"
#include "integrate/lane_kernels.hpp"

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

ARMATURE_VECTOR_WIDTHS LaneMask pivot_ratios(int nv, int m, const PivotsView<lane_count>& view, LaneRow& ratio) {
  Signs positive = Signs{} - 1;
  for (int i = 0; i < nv; ++i) positive &= numbers(view.mass_pivots[i]) > 0;
  Numbers least = Numbers{} + 1;
  for (int r = 0; r < m; ++r) {
    positive &= numbers(view.pivots[r]) > 0;
    const Numbers share = numbers(view.pivots[r]) / numbers(view.scales[r]);
    least = share < least ? share : least;
  }
  numbers(ratio) = least;
  return lanes_of(positive);
}

namespace {

// x - x of all numbers: zero in lanes in which they are finite.
ARMATURE_INLINE void add_differences(int n, const LaneRow* x, Numbers& sum) {
  for (int i = 0; i < n; ++i) sum += numbers(x[i]) - numbers(x[i]);
}

ARMATURE_INLINE void take_least(int n, const LaneRow* x, Numbers& least) {
  for (int i = 0; i < n; ++i) least = numbers(x[i]) < least ? numbers(x[i]) : least;
}

ARMATURE_VECTOR_WIDTHS LaneMask regular_rows(const Layout& n, int m, const AccelerationView<lane_count>& view) {
  Numbers rate = {}, pivot = {};
  add_differences(n.nv, view.vdot, rate);
  add_differences(n.nq, view.qdot, rate);
  add_differences(n.nz, view.zdot, rate);
  add_differences(n.nv, view.mass_pivots, pivot);
  add_differences(m, view.pivots, pivot);
  Numbers least = Numbers{} + 1, margin = Numbers{} + 1;
  take_least(n.nv, view.mass_pivots, least);
  take_least(m, view.pivots, least);
  for (int r = 0; r < m; ++r) {
    const Numbers here = numbers(view.pivots[r]) - clearly_regular * numbers(view.scales[r]);
    pivot += here - here;
    margin = here < margin ? here : margin;
  }
  const Signs regular = (rate + pivot == 0) & (least > 0) & (margin >= 0);
  return lanes_of(regular);
}

}  // namespace

LaneMask regular_accelerations(const System& system, const AccelerationView<lane_count>& view) {
  return regular_rows(system.layout(), system.kernels().rows(), view);
}

void copy_derivative(LaneMask lanes, const Layout& n, const RatesView<lane_count>& rates, LaneRow* xdot) {
  lane_kernels::copy(lanes, n.nq, rates.qdot, xdot);
  lane_kernels::copy(lanes, n.nv, rates.vdot, xdot + n.nq);
  lane_kernels::copy(lanes, n.nz, rates.zdot, xdot + n.nq + n.nv);
}

}  // namespace armature
