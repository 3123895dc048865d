// What the pivots of the traced solve tell: those of M, and those of S = Phi M^-1 Phi' over their scales, which are squares of
// sines (regularity.hpp).
#pragma once

#include "step/arithmetic.hpp"
#include "step/regularity.hpp"

namespace armature::step {

namespace plain {

template <int W>
ARMATURE_INLINE Mask<W> pivot_ratios(int nv, int m, const Row<W>* mass, const Row<W>* pivots, const Row<W>* scales,
                                     Row<W>& ratio) {
  Pack<W> least = Pack<W>{} + 1, smallest = Pack<W>{} + 1;
  for (int i = 0; i < nv; ++i) smallest = pack<W>(mass[i].lane) > 0 ? smallest : Pack<W>{};
  for (int r = 0; r < m; ++r) {
    const Pack<W> share = pack<W>(pivots[r].lane) / pack<W>(scales[r].lane);
    smallest = pack<W>(pivots[r].lane) > 0 ? smallest : Pack<W>{};
    least = share < least ? share : least;
  }
  pack<W>(ratio.lane) = least;
  return those<W>(all_lanes<W>, [&](int k) { return lane_of<W>(smallest, k) > 0; });
}

template <int W>
ARMATURE_INLINE Mask<W> regular(int nv, int m, const Row<W>* mass, const Row<W>* pivots, const Row<W>* scales,
                                double least) {
  Pack<W> smallest = Pack<W>{} + 1, margin = Pack<W>{} + 1, sum = {};  // sum: of x - x, zero where all are finite
  for (int i = 0; i < nv; ++i) {
    const Pack<W> here = pack<W>(mass[i].lane);
    sum += here - here;
    smallest = here < smallest ? here : smallest;
  }
  for (int r = 0; r < m; ++r) {
    const Pack<W> pivot = pack<W>(pivots[r].lane), here = pivot - least * pack<W>(scales[r].lane);
    sum += here - here;
    smallest = pivot < smallest ? pivot : smallest;
    margin = here < margin ? here : margin;
  }
  return those<W>(all_lanes<W>, [&](int k) {
    return lane_of<W>(sum, k) == 0 && lane_of<W>(smallest, k) > 0 && lane_of<W>(margin, k) >= 0;
  });
}

}  // namespace plain

#ifdef ARMATURE_VECTOR_WIDTH_CALLS
namespace vector_widths {
Mask<8> pivot_ratios(int nv, int m, const Row<8>* mass, const Row<8>* pivots, const Row<8>* scales, Row<8>& ratio);
Mask<8> regular(int nv, int m, const Row<8>* mass, const Row<8>* pivots, const Row<8>* scales, double least);
}  // namespace vector_widths
#endif

// The smallest pivot of S (m) over its scale, 1 at most. Returns the lanes in which all pivots, those of M (nv) too, are
// positive.
template <int W, class View>
ARMATURE_STEP Mask<W> pivot_ratios(int nv, int m, const View& view, Row<W>& ratio) {
  ARMATURE_BY_WIDTH(pivot_ratios, nv, m, view.mass_pivots, view.pivots, view.scales, ratio);
}

// The lanes in which all pivots are finite and positive, and those of S at least `least` of their scales.
template <int W, class View>
ARMATURE_STEP Mask<W> regular(int nv, int m, const View& view, double least) {
  ARMATURE_BY_WIDTH(regular, nv, m, view.mass_pivots, view.pivots, view.scales, least);
}

}  // namespace armature::step
