// The error of a step against its tolerance, in packs.
#pragma once

#include "step/packs.hpp"

namespace armature::step::plain {

// Adds (error / (atol + rtol max(|x0|, |x1|)))^2 to a sum; `finite` stays zero unless the scale is infinite or not a number.
template <int P>
ARMATURE_INLINE void add_square(double rtol, const Pack<P>& atol, const double* error, const double* x0,
                                const double* x1, Pack<P>& sum, Pack<P>& finite) {
  const Pack<P> a = pack<P>(x0), b = pack<P>(x1);
  const Pack<P> before = a < 0 ? -a : a, after = b < 0 ? -b : b;
  const Pack<P> scale = atol + rtol * (before < after ? after : before);
  const Pack<P> ratio = pack<P>(error) / (scale < smallest_normal ? Pack<P>{} + smallest_normal : scale);
  sum += ratio * ratio;
  finite += scale - scale;
}

ARMATURE_INLINE double root_mean(double sum, double finite, int n) {
  const double size = square_root(sum / (n > 1 ? n : 1));
  return finite == 0 && step::finite(size) ? size : infinity;
}

// Root mean square of error_i / (atol_i + rtol max(|x0_i|, |x1_i|)) in each lane; infinite if anything is not finite. Every
// fourth square goes into one of four sums: four entries of one state make a pack.
template <int W>
ARMATURE_INLINE void error_norm(int n, double rtol, const Row<W>* atol, const Row<W>* error, const Row<W>* x0,
                                const Row<W>* x1, Row<W>& norm) {
  const double *least = flat(atol), *e = flat(error), *a = flat(x0), *b = flat(x1);
  Pack<W> sums[4] = {}, finite = {};
  int i = 0;
  if constexpr (W == 1 && widest_pack >= 4) {
    constexpr int P = 4 * W;  // named so that no device code sees it
    Pack<P> squares = {}, all = {};
    for (; i + 4 <= n; i += 4) add_square<P>(rtol, pack<P>(least + i), e + i, a + i, b + i, squares, all);
    for (int j = 0; j < 4; ++j) sums[j] = squares[j], finite += all[j];
  }
  for (; i < n; ++i) add_square<W>(rtol, pack<W>(least + i * W), e + i * W, a + i * W, b + i * W, sums[i % 4], finite);
  const Pack<W> sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (int k = 0; k < W; ++k) norm[k] = root_mean(lane_of<W>(sum, k), lane_of<W>(finite, k), n);
}

}  // namespace armature::step::plain
