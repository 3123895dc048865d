#include "sensitivity/column_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr int most_terms = 8;

struct WeightedRates {
  int count = 0;
  double factor[most_terms];
  const double* column[most_terms];
};

// The number of terms is known to the compiler, which keeps the factors in registers: the result is none of them.
template <int count>
ARMATURE_INLINE void add_terms(int n, const WeightedRates& terms, const double* start, double* __restrict result) {
  double factor[count + 1];
  const double* column[count + 1];
  std::copy_n(terms.factor, count, factor), std::copy_n(terms.column, count, column);
  for (int e = 0; e < n; ++e) {
    double sum = start[e];
    for (int i = 0; i < count; ++i) sum += factor[i] * column[i][e];
    result[e] = sum;
  }
}

ARMATURE_VECTOR_WIDTHS void add_terms(int n, const WeightedRates& terms, const double* start, double* result) {
  switch (terms.count) {
    case 0: return add_terms<0>(n, terms, start, result);
    case 1: return add_terms<1>(n, terms, start, result);
    case 2: return add_terms<2>(n, terms, start, result);
    case 3: return add_terms<3>(n, terms, start, result);
    case 4: return add_terms<4>(n, terms, start, result);
    case 5: return add_terms<5>(n, terms, start, result);
    case 6: return add_terms<6>(n, terms, start, result);
    case 7: return add_terms<7>(n, terms, start, result);
    default: return add_terms<8>(n, terms, start, result);
  }
}

}  // namespace

void add_rates(int rows, double h, std::span<const double> weights, const LaneRow* rates, const LaneRow* start,
               LaneRow* result) {
  WeightedRates terms;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    terms.factor[terms.count] = h * weights[i];
    terms.column[terms.count++] = rates[static_cast<int>(i) * rows].lane;
  }
  add_terms(rows * lane_count, terms, start->lane, result->lane);
}

ARMATURE_VECTOR_WIDTHS double largest_error(const ColumnError& e) {
  double largest[lane_count] = {}, worst[lane_count] = {};
  for (const int i : e.tested)
    for (int k = 0; k < lane_count; ++k) {
      const double size = std::abs(e.end[i][k]), known = e.seen[i][k] < size ? size : e.seen[i][k];
      largest[k] = largest[k] < known ? known : largest[k];
    }
  // where nothing is allowed there is nothing; a divisor that is chosen, not a quotient, leaves the compiler its vectors
  for (const int i : e.tested)
    for (int k = 0; k < lane_count; ++k) {
      const double size = std::abs(e.end[i][k]), known = e.seen[i][k] < size ? size : e.seen[i][k];
      const double allowed = e.tolerance * (known + e.column_floor * largest[k]) + e.floor[i][k];
      const double share = std::abs(e.error[i][k]) / (allowed > 0 ? allowed : std::numeric_limits<double>::infinity());
      worst[k] = worst[k] < share ? share : worst[k];
    }
  return *std::max_element(worst, worst + lane_count);
}

ARMATURE_VECTOR_WIDTHS void note_largest(int rows, const LaneRow* x, LaneRow* seen) {
  const double* here = x->lane;
  double* known = seen->lane;
  for (int e = 0; e < rows * lane_count; ++e) known[e] = known[e] < std::abs(here[e]) ? std::abs(here[e]) : known[e];
}

// A sum of x - x is zero, or not a number.
ARMATURE_VECTOR_WIDTHS bool all_finite(int rows, const LaneRow* x) {
  double sum[lane_count] = {};
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < lane_count; ++k) sum[k] += x[i][k] - x[i][k];
  return std::all_of(sum, sum + lane_count, [](double s) { return s == 0; });
}

}  // namespace armature::internal
