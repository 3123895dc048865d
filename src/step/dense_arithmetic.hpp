// Arithmetic of dense output (dense_output.hpp) on arrays of n rows of W lanes: F has n rows a column.
#pragma once

#include "step/packs.hpp"

namespace armature::step::plain {

// The columns that both ends give.
template <int W>
struct DenseEnds {
  const Row<W>& h;
  const double *x0, *x1, *f0, *f1;
  double *F0, *F1, *F2;

  template <int P>
  ARMATURE_INLINE void at(int e) const {
    const Pack<P> change = pack<P>(x1 + e) - pack<P>(x0 + e);
    pack<P>(F0 + e) = change;
    pack<P>(F1 + e) = each_lane(h) * pack<P>(f0 + e) - change;
    pack<P>(F2 + e) = 2 * change - each_lane(h) * (pack<P>(f0 + e) + pack<P>(f1 + e));
  }
};

template <int W>
ARMATURE_INLINE void dense_ends(int n, const Row<W>& h, const Row<W>* x0, const Row<W>* x1, const Row<W>* f0,
                                const Row<W>* f1, Row<W>* F) {
  for_packs<W>(n, DenseEnds<W>{h, flat(x0), flat(x1), flat(f0), flat(f1), flat(F), flat(F + n), flat(F + 2 * n)});
}

// Horner's scheme with the factors theta and 1 - theta in turn.
template <int W>
struct DenseValue {
  int columns, stride;
  const Row<W>&theta, &rest;
  const double *F, *x0;
  double* x;

  template <int P>
  ARMATURE_INLINE void at(int e) const {
    Pack<P> sum = {};
    for (int i = columns - 1; i >= 0; --i)
      sum = each_lane(i % 2 == 0 ? theta : rest) * (sum + pack<P>(F + i * stride + e));
    pack<P>(x + e) = sum + pack<P>(x0 + e);
  }
};

template <int W>
ARMATURE_INLINE void dense_value(int n, int columns, const Row<W>& theta, const Row<W>* F, const Row<W>* x0,
                                 Row<W>* x) {
  Row<W> rest;
  for (int k = 0; k < W; ++k) rest[k] = 1 - theta[k];
  for_packs<W>(n, DenseValue<W>{columns, n * W, theta, rest, flat(F), flat(x0), flat(x)});
}

// The same polynomial of one entry in powers of u = theta - 1/2: columns + 1 coefficients.
template <int W>
ARMATURE_INLINE void dense_powers(int n, int columns, int e, const Row<W>* F, const Row<W>* x0, Row<W>* p) {
  for (int k = 0; k <= columns; ++k) pack<W>(p[k].lane) = Pack<W>{};
  for (int i = columns - 1; i >= 0; --i) {
    pack<W>(p[0].lane) += pack<W>(F[i * n + e].lane);
    const double sign = i % 2 == 0 ? 1 : -1;  // theta, or 1 - theta
    for (int k = columns - i; k > 0; --k) pack<W>(p[k].lane) = 0.5 * pack<W>(p[k].lane) + sign * pack<W>(p[k - 1].lane);
    pack<W>(p[0].lane) *= 0.5;
  }
  pack<W>(p[0].lane) += pack<W>(x0[e].lane);
}

}  // namespace armature::step::plain
