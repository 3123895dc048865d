// Arithmetic of one-step methods on arrays of n rows of W lanes.
//
// An array is worked on in packs: eight lanes of one entry at W = 8, several entries of one state at W = 1. Each number is
// computed by the same operations in the same order either way. On a processor with several vector widths the functions of
// vector_widths.cpp are taken where arrays are long enough for that to pay.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

// ---- packs of P numbers anywhere in memory

template <int P>
struct PackOf;
template <>
struct PackOf<1> {
  using Type = double;
};
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
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

// What a pack of an array is multiplied with: a number a lane, or one number for all entries of one state.
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

// ---- the functions, for whatever the compiler is told to make of them

namespace plain {

// sum of factor_i column_i, term after term
template <int W>
struct Combination {
  int count = 0;
  Row<W> factor[16];
  const double* column[16];
  const double* start;  // null: zero
  double* result;

  template <int P>
  ARMATURE_INLINE void at(int e) const {
    Pack<P> sum = {};
    if (start) sum = pack<P>(start + e);
    for (int i = 0; i < count; ++i) sum += each_lane(factor[i]) * pack<P>(column[i] + e);
    pack<P>(result + e) = sum;
  }
};

template <int W>
ARMATURE_INLINE void combine(int n, const Combination<W>& combination) {
  for_packs<W>(n, combination);
}

// DenseOutput: F has n rows a column.
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

// x += c y
template <int W>
struct Addition {
  const Row<W>& c;
  const double* y;
  double* x;

  template <int P>
  ARMATURE_INLINE void at(int e) const {
    pack<P>(x + e) += each_lane(c) * pack<P>(y + e);
  }
};

template <int W>
ARMATURE_INLINE void add(int n, const Row<W>& c, const Row<W>* y, Row<W>* x) {
  for_packs<W>(n, Addition<W>{c, flat(y), flat(x)});
}

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

// Largest |x_i|.
template <int W>
ARMATURE_INLINE void largest(int n, const Row<W>* x, Row<W>& size) {
  Pack<W> most = {};
  for (int i = 0; i < n; ++i) {
    const Pack<W> a = pack<W>(x[i].lane), here = a < 0 ? -a : a;
    most = most < here ? here : most;
  }
  pack<W>(size.lane) = most;
}

// In some lanes; the others of `to` stay.
template <int W>
ARMATURE_INLINE void copy(Mask<W> lanes, int n, const Row<W>* from, Row<W>* to) {
  if (lanes == all_lanes<W>) {
    for (int i = 0; i < n; ++i) pack<W>(to[i].lane) = pack<W>(from[i].lane);
  } else if constexpr (W > 1) {
    Truth<W> taken;
    for (int k = 0; k < W; ++k) taken[k] = has(lanes, k) ? -1 : 0;
    for (int i = 0; i < n; ++i) pack<W>(to[i].lane) = taken ? pack<W>(from[i].lane) : pack<W>(to[i].lane);
  }
}

// x += y in some lanes.
template <int W>
ARMATURE_INLINE void add_to(Mask<W> lanes, int n, const Row<W>* y, Row<W>* x) {
  if constexpr (W == 1) {
    if (lanes)
      for (int i = 0; i < n; ++i) x[i][0] += y[i][0];
  } else {
    Truth<W> taken;
    for (int k = 0; k < W; ++k) taken[k] = has(lanes, k) ? -1 : 0;
    for (int i = 0; i < n; ++i)
      pack<W>(x[i].lane) = taken ? pack<W>(x[i].lane) + pack<W>(y[i].lane) : pack<W>(x[i].lane);
  }
}

// Lanes in which every number is finite; lanes in which some number differs.
template <int W>
ARMATURE_INLINE Mask<W> finite(int n, const Row<W>* x) {
  Pack<W> sum = {};
  for (int i = 0; i < n; ++i) sum += pack<W>(x[i].lane) - pack<W>(x[i].lane);
  return those<W>(all_lanes<W>, [&](int k) { return reinterpret_cast<const Row<W>&>(sum)[k] == 0; });
}

template <int W>
ARMATURE_INLINE Mask<W> different(int n, const Row<W>* a, const Row<W>* b) {
  Truth<W> differ = {};
  for (int i = 0; i < n; ++i) differ |= pack<W>(a[i].lane) != pack<W>(b[i].lane);
  if constexpr (W == 1)
    return differ;
  else
    return those<W>(all_lanes<W>, [&](int k) { return differ[k] != 0; });
}

}  // namespace plain

// ---- the functions as steps call them

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define ARMATURE_VECTOR_WIDTH_CALLS 1
// One version for every vector width of the machine (vector_widths.cpp).
namespace vector_widths {
void combine(int n, const plain::Combination<1>& combination);
void error_norm(int n, double rtol, const double* atol, const Row<1>* error, const Row<1>* x0, const Row<1>* x1,
                Row<1>& norm);
void combine(int n, const plain::Combination<8>& combination);
void error_norm(int n, double rtol, const double* atol, const Row<8>* error, const Row<8>* x0, const Row<8>* x1,
                Row<8>& norm);
void dense_ends(int n, const Row<8>& h, const Row<8>* x0, const Row<8>* x1, const Row<8>* f0, const Row<8>* f1,
                Row<8>* F);
void dense_value(int n, int columns, const Row<8>& theta, const Row<8>* F, const Row<8>* x0, Row<8>* x);
void add(int n, const Row<8>& c, const Row<8>* y, Row<8>* x);
void largest(int n, const Row<8>* x, Row<8>& size);
void copy(Mask<8> lanes, int n, const Row<8>* from, Row<8>* to);
void add_to(Mask<8> lanes, int n, const Row<8>* y, Row<8>* x);
Mask<8> finite(int n, const Row<8>* x);
Mask<8> different(int n, const Row<8>* a, const Row<8>* b);
}  // namespace vector_widths
#define ARMATURE_BY_WIDTH(function, ...)         \
  if constexpr (W == 8)                          \
    return vector_widths::function(__VA_ARGS__); \
  else                                           \
    return plain::function<W>(__VA_ARGS__)
inline constexpr int long_column = 24;  // of one state: worth a call
#else
#define ARMATURE_BY_WIDTH(function, ...) return plain::function<W>(__VA_ARGS__)
#endif

// result = start + h sum of weight_i K_i; K: n rows a stage; start null: zero. Weights that are zero cost nothing.
template <int W>
ARMATURE_STEP void combine(int n, const double* weights, int count, const Row<W>& h, const Row<W>* K,
                           const Row<W>* start, Row<W>* result) {
  plain::Combination<W> terms;
  terms.start = start ? flat(start) : nullptr;
  terms.result = flat(result);
  for (int i = 0; i < count; ++i) {
    if (weights[i] == 0) continue;
    for (int k = 0; k < W; ++k) terms.factor[terms.count][k] = h[k] * weights[i];
    terms.column[terms.count++] = flat(K + i * n);
  }
#ifdef ARMATURE_VECTOR_WIDTH_CALLS
  if (W == 8 || n >= long_column) return vector_widths::combine(n, terms);
#endif
  plain::combine<W>(n, terms);
}

template <int W>
ARMATURE_STEP void error_norm(int n, double rtol, const double* atol, const Row<W>* error, const Row<W>* x0,
                              const Row<W>* x1, Row<W>& norm) {
#ifdef ARMATURE_VECTOR_WIDTH_CALLS
  if (W == 8 || n >= long_column) return vector_widths::error_norm(n, rtol, atol, error, x0, x1, norm);
#endif
  plain::error_norm<W>(n, rtol, atol, error, x0, x1, norm);
}

template <int W>
ARMATURE_STEP void dense_ends(int n, const Row<W>& h, const Row<W>* x0, const Row<W>* x1, const Row<W>* f0,
                              const Row<W>* f1, Row<W>* F) {
  ARMATURE_BY_WIDTH(dense_ends, n, h, x0, x1, f0, f1, F);
}

template <int W>
ARMATURE_STEP void dense_value(int n, int columns, const Row<W>& theta, const Row<W>* F, const Row<W>* x0, Row<W>* x) {
  ARMATURE_BY_WIDTH(dense_value, n, columns, theta, F, x0, x);
}

template <int W>
ARMATURE_STEP void add(int n, const Row<W>& c, const Row<W>* y, Row<W>* x) {
  ARMATURE_BY_WIDTH(add, n, c, y, x);
}

template <int W>
ARMATURE_STEP void largest(int n, const Row<W>* x, Row<W>& size) {
  ARMATURE_BY_WIDTH(largest, n, x, size);
}

template <int W>
ARMATURE_STEP void copy(Mask<W> lanes, int n, const Row<W>* from, Row<W>* to) {
  ARMATURE_BY_WIDTH(copy, lanes, n, from, to);
}

template <int W>
ARMATURE_STEP void add_to(Mask<W> lanes, int n, const Row<W>* y, Row<W>* x) {
  ARMATURE_BY_WIDTH(add_to, lanes, n, y, x);
}

template <int W>
ARMATURE_STEP Mask<W> finite(int n, const Row<W>* x) {
  ARMATURE_BY_WIDTH(finite, n, x);
}

template <int W>
ARMATURE_STEP Mask<W> different(int n, const Row<W>* a, const Row<W>* b) {
  ARMATURE_BY_WIDTH(different, n, a, b);
}

}  // namespace armature::step
