#include "integrate/lane_kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace armature::lane_kernels {

namespace {

using Numbers = double __attribute__((vector_size(sizeof(LaneRow)), may_alias));
using Signs = std::int64_t __attribute__((vector_size(sizeof(LaneRow)), may_alias));

constexpr int most_terms = 16;  // stages of dop853 with those of its dense output
constexpr double infinite = std::numeric_limits<double>::infinity();

ARMATURE_INLINE const Numbers& numbers(const LaneRow& row) { return reinterpret_cast<const Numbers&>(row); }
ARMATURE_INLINE Numbers& numbers(LaneRow& row) { return reinterpret_cast<Numbers&>(row); }

// What std::abs and std::max do.
#define ABSOLUTE(x) ((Numbers)((Signs)(x)&0x7fffffffffffffffLL))
#define LARGER(a, b) ((a) < (b) ? (b) : (a))

ARMATURE_INLINE LaneMask lanes_of(const Signs& all_ones) {
  LaneMask mask = 0;
  for (int k = 0; k < lane_count; ++k) mask |= static_cast<LaneMask>(all_ones[k] & 1) << k;
  return mask;
}

}  // namespace

ARMATURE_VECTOR_WIDTHS void combine(int n, std::span<const Term> terms, const LaneRow& h, const LaneRow* K,
                                    const LaneRow* start, LaneRow* result) {
  assert(terms.size() <= most_terms);
  Numbers factor[most_terms];
  const LaneRow* column[most_terms];
  const int count = static_cast<int>(terms.size());
  for (int i = 0; i < count; ++i) {
    factor[i] = numbers(h) * terms[static_cast<std::size_t>(i)].weight;
    column[i] = K + terms[static_cast<std::size_t>(i)].stage * n;
  }
  for (int e = 0; e < n; ++e) {
    Numbers sum = {};
    if (start) sum = numbers(start[e]);
    for (int i = 0; i < count; ++i) sum += factor[i] * numbers(column[i][e]);
    numbers(result[e]) = sum;
  }
}

ARMATURE_VECTOR_WIDTHS void error_norm(int n, double rtol, const double* atol, const LaneRow* error, const LaneRow* x0,
                                       const LaneRow* x1, LaneRow& norm) {
  constexpr double smallest = std::numeric_limits<double>::min();
  Numbers sums[4] = {};  // in the order of Tolerance::norm
  Signs bad = {};
  for (int i = 0; i < n; ++i) {
    const Numbers before = ABSOLUTE(numbers(x0[i])), after = ABSOLUTE(numbers(x1[i]));
    const Numbers scale = atol[i] + rtol * LARGER(before, after);
    const Numbers ratio = numbers(error[i]) / (scale < smallest ? smallest : scale);
    sums[i % 4] += ratio * ratio;
    bad |= ~(scale < infinite);
  }
  const Numbers sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (int k = 0; k < lane_count; ++k) {
    const double size = std::sqrt(sum[k] / (n > 1 ? n : 1));
    norm[k] = !bad[k] && std::isfinite(size) ? size : infinite;
  }
}

ARMATURE_VECTOR_WIDTHS void dense_ends(int n, const LaneRow& h, const LaneRow* x0, const LaneRow* x1, const LaneRow* f0,
                                       const LaneRow* f1, LaneRow* F) {
  for (int e = 0; e < n; ++e) {
    const Numbers change = numbers(x1[e]) - numbers(x0[e]);
    numbers(F[e]) = change;
    numbers(F[n + e]) = numbers(h) * numbers(f0[e]) - change;
    numbers(F[2 * n + e]) = 2 * change - numbers(h) * (numbers(f0[e]) + numbers(f1[e]));
  }
}

ARMATURE_VECTOR_WIDTHS void dense_evaluate(int n, int columns, const LaneRow& theta, const LaneRow* F,
                                           const LaneRow* x0, LaneRow* x) {
  const Numbers here = numbers(theta), rest = 1 - here;
  for (int e = 0; e < n; ++e) {
    Numbers sum = {};
    for (int i = columns - 1; i >= 0; --i) sum = (i % 2 == 0 ? here : rest) * (sum + numbers(F[i * n + e]));
    numbers(x[e]) = sum + numbers(x0[e]);
  }
}

ARMATURE_VECTOR_WIDTHS void scale(int n, const LaneRow& factor, LaneRow* x) {
  for (int e = 0; e < n; ++e) numbers(x[e]) *= numbers(factor);
}

ARMATURE_VECTOR_WIDTHS void add(int n, const LaneRow& c, const LaneRow* y, LaneRow* x) {
  for (int e = 0; e < n; ++e) numbers(x[e]) += numbers(c) * numbers(y[e]);
}

ARMATURE_VECTOR_WIDTHS void largest(int n, const LaneRow* x, LaneRow& size) {
  Numbers most = {};
  for (int e = 0; e < n; ++e) {
    const Numbers here = ABSOLUTE(numbers(x[e]));
    most = LARGER(most, here);
  }
  numbers(size) = most;
}

ARMATURE_VECTOR_WIDTHS void copy(LaneMask lanes, int n, const LaneRow* from, LaneRow* to) {
  if (lanes == all_lanes) {
    std::copy_n(from, n, to);
    return;
  }
  Signs taken;
  for (int k = 0; k < lane_count; ++k) taken[k] = -static_cast<std::int64_t>(lanes >> k & 1);
  for (int e = 0; e < n; ++e) numbers(to[e]) = taken ? numbers(from[e]) : numbers(to[e]);
}

ARMATURE_VECTOR_WIDTHS LaneMask finite(int n, const LaneRow* x) {
  Signs good = Signs{} - 1;
  for (int e = 0; e < n; ++e) good &= numbers(x[e]) - numbers(x[e]) == 0;
  return lanes_of(good);
}

ARMATURE_VECTOR_WIDTHS LaneMask different(int n, const LaneRow* a, const LaneRow* b) {
  Signs equal = Signs{} - 1;
  for (int e = 0; e < n; ++e) equal &= numbers(a[e]) == numbers(b[e]);
  return ~lanes_of(equal) & all_lanes;
}

}  // namespace armature::lane_kernels
