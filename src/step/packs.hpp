// Packs of P numbers anywhere in memory, in vectors of the compiler's: eight lanes of one entry, or several entries of one state.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

template <int P>
struct PackOf;
template <>
struct PackOf<1> {
  using Type = double;
};
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(ARMATURE_SCALAR)
inline constexpr int widest_pack = 1;
#else
inline constexpr int widest_pack = 8;
#define ARMATURE_PACK(P)                                                            \
  template <>                                                                       \
  struct PackOf<P> {                                                                \
    typedef double Type __attribute__((vector_size(8 * P), aligned(8), may_alias)); \
  };
ARMATURE_PACK(2)
ARMATURE_PACK(4)
ARMATURE_PACK(8)
#undef ARMATURE_PACK
#endif
template <int P>
using Pack = typename PackOf<P>::Type;
template <int P>
using Truth = decltype(Pack<P>{} < Pack<P>{});  // of a comparison: a bool, or all bits of each number

template <int P>
ARMATURE_INLINE Pack<P>& pack(double* x) {
  return *reinterpret_cast<Pack<P>*>(x);
}
template <int P>
ARMATURE_INLINE const Pack<P>& pack(const double* x) {
  return *reinterpret_cast<const Pack<P>*>(x);
}
template <int W>
ARMATURE_INLINE double* flat(Row<W>* rows) {
  return rows->lane;
}
template <int W>
ARMATURE_INLINE const double* flat(const Row<W>* rows) {
  return rows->lane;
}

template <int P>
ARMATURE_INLINE double lane_of(const Pack<P>& x, int k) {
  if constexpr (P == 1)
    return x;
  else
    return x[k];
}

// What a pack of an array is multiplied with: one number per lane, or one number for all entries of one state.
template <int W>
ARMATURE_INLINE const Pack<W>& each_lane(const Row<W>& row) {
  return pack<W>(row.lane);
}

// Calls body.at<P>(e) for packs of P numbers from e on until n rows are done.
template <int W, class Body>
ARMATURE_INLINE void for_packs(int n, const Body& body) {
  if constexpr (W > 1) {
    for (int i = 0; i < n; ++i) body.template at<W>(i * W);
  } else {
    int e = 0;
    if constexpr (widest_pack == 8) {
      for (; e + 8 <= n; e += 8) body.template at<8>(e);
      for (; e + 2 <= n; e += 2) body.template at<2>(e);
    }
    for (; e < n; ++e) body.template at<1>(e);
  }
}

}  // namespace armature::step
