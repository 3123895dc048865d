// The error of a step against its tolerance, in packs.
#pragma once

#include "step/packs.hpp"

namespace armature::step::plain {

// Root mean square of error_i / (atol_i + rtol max(|x0_i|, |x1_i|)) in each lane; infinite if anything is not finite. Every
// fourth square goes into one of four sums: four entries of one state make a pack.
template <int P>
struct ErrorSquares {
  double rtol;
  Pack<P> sum = {};
  Truth<P> bad = {};

  template <int entries>  // of one state, or lanes of one entry
  ARMATURE_INLINE void add(const double* atol, const double* error, const double* x0, const double* x1) {
    const Pack<P> a = pack<P>(x0), b = pack<P>(x1);
    const Pack<P> before = a < 0 ? -a : a, after = b < 0 ? -b : b;
    const Pack<P> scale = pack<entries>(atol) + rtol * (before < after ? after : before);
    const Pack<P> ratio = pack<P>(error) / (scale < smallest_normal ? Pack<P>{} + smallest_normal : scale);
    sum += ratio * ratio;
    bad |= (scale >= infinity) | (scale != scale);
  }
};

template <int W>
ARMATURE_INLINE void error_norm(int n, double rtol, const double* atol, const Row<W>* error, const Row<W>* x0,
                                const Row<W>* x1, Row<W>& norm) {
  Row<W> squares[4] = {};
  bool bad[W] = {};
  int i = 0;
  if constexpr (W == 1 && widest_pack >= 4) {
    ErrorSquares<4 * W> four{rtol};
    for (; i + 4 <= n; i += 4) four.template add<4 * W>(atol + i, flat(error + i), flat(x0 + i), flat(x1 + i));
    for (int j = 0; j < 4; ++j) squares[j][0] = four.sum[j], bad[0] |= four.bad[j] != 0;
  }
  if constexpr (W > 1) {
    ErrorSquares<W> sums[4] = {{rtol}, {rtol}, {rtol}, {rtol}};
    for (; i < n; ++i) sums[i % 4].template add<1>(atol + i, flat(error + i), flat(x0 + i), flat(x1 + i));
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < W; ++k) squares[j][k] = sums[j].sum[k], bad[k] |= sums[j].bad[k] != 0;
  } else {
    for (; i < n; ++i) {
      ErrorSquares<1> one{rtol, squares[i % 4][0]};
      one.template add<1>(atol + i, flat(error + i), flat(x0 + i), flat(x1 + i));
      squares[i % 4][0] = one.sum, bad[0] |= one.bad;
    }
  }
  for (int k = 0; k < W; ++k) {
    const double sum = (squares[0][k] + squares[1][k]) + (squares[2][k] + squares[3][k]);
    const double size = square_root(sum / (n > 1 ? n : 1));
    norm[k] = !bad[k] && finite(size) ? size : infinity;
  }
}

}  // namespace armature::step::plain
