// Arithmetic of one-step methods on arrays of n rows of W lanes.
//
// An array is worked on in packs: eight lanes of one entry at W = 8, several entries of one state at W = 1. Each number is
// computed by the same operations in the same order either way. On a processor with several vector widths the functions of
// vector_widths.cpp are taken where arrays are long enough for that to pay.
#pragma once

#include "step/dense_arithmetic.hpp"
#include "step/error_norm.hpp"
#include "step/packs.hpp"

namespace armature::step {

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

// Largest |x_i f_i|.
template <int W>
ARMATURE_INLINE void largest_times(int n, const Row<W>* x, const Row<W>* f, Row<W>& size) {
  Pack<W> most = {};
  for (int i = 0; i < n; ++i) {
    const Pack<W> a = pack<W>(x[i].lane) * pack<W>(f[i].lane), here = a < 0 ? -a : a;
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
  if constexpr (W == 1) {
    return sum == 0;
  } else {
    long long any = 0;  // sums are zero or not a number
    for (int k = 0; k < W; ++k) any |= bits_of(sum[k]);
    return any == 0 ? all_lanes<W> : those<W>(all_lanes<W>, [&](int k) { return sum[k] == 0; });
  }
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

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(ARMATURE_SCALAR)
#define ARMATURE_VECTOR_WIDTH_CALLS 1
// One version for every vector width of the machine (vector_widths.cpp).
namespace vector_widths {
void combine(int n, const plain::Combination<1>& combination);
void error_norm(int n, double rtol, const Row<1>* atol, const Row<1>* error, const Row<1>* x0, const Row<1>* x1,
                Row<1>& norm);
void combine(int n, const plain::Combination<8>& combination);
void error_norm(int n, double rtol, const Row<8>* atol, const Row<8>* error, const Row<8>* x0, const Row<8>* x1,
                Row<8>& norm);
void dense_ends(int n, const Row<8>& h, const Row<8>* x0, const Row<8>* x1, const Row<8>* f0, const Row<8>* f1,
                Row<8>* F);
void dense_value(int n, int columns, const Row<8>& theta, const Row<8>* F, const Row<8>* x0, Row<8>* x);
void dense_powers(int n, int columns, int e, const Row<8>* F, const Row<8>* x0, Row<8>* p);
void add(int n, const Row<8>& c, const Row<8>* y, Row<8>* x);
void largest(int n, const Row<8>* x, Row<8>& size);
void largest_times(int n, const Row<8>* x, const Row<8>* f, Row<8>& size);
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
ARMATURE_STEP void error_norm(int n, double rtol, const Row<W>* atol, const Row<W>* error, const Row<W>* x0,
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
ARMATURE_STEP void dense_powers(int n, int columns, int e, const Row<W>* F, const Row<W>* x0, Row<W>* p) {
  ARMATURE_BY_WIDTH(dense_powers, n, columns, e, F, x0, p);
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
ARMATURE_STEP void largest_times(int n, const Row<W>* x, const Row<W>* f, Row<W>& size) {
  ARMATURE_BY_WIDTH(largest_times, n, x, f, size);
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
