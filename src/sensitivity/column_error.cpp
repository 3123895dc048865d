#include "sensitivity/column_error.hpp"

#include <algorithm>

#include "step/arithmetic.hpp"

namespace armature::internal {

namespace {

using Eight = step::Pack<lane_count>;

ARMATURE_INLINE const Eight& eight(const LaneRow& row) { return step::pack<lane_count>(row.lane); }
ARMATURE_INLINE Eight size_of(const Eight& x) { return x < 0 ? -x : x; }
ARMATURE_INLINE Eight larger(const Eight& a, const Eight& b) { return a < b ? b : a; }

}  // namespace

ARMATURE_VECTOR_WIDTHS double largest_error(const ColumnError& e) {
  Eight largest = {}, worst = {};
  for (const int i : e.tested) largest = larger(largest, larger(eight(e.seen[i]), size_of(eight(e.end[i]))));
  for (const int i : e.tested) {
    Eight sum = {};
    for (std::size_t k = 0; k < e.weights.size(); ++k) sum += e.weights[k] * eight(e.rates[static_cast<int>(k) * e.nx + i]);
    const Eight size = larger(eight(e.seen[i]), size_of(eight(e.end[i]))) + e.column_floor * largest;
    const Eight allowed = e.tolerance * size + eight(e.floor[i]);
    const Eight share = size_of(e.h * sum) / (allowed > 0 ? allowed : Eight{} + 1);
    worst = larger(worst, allowed > 0 ? share : Eight{});
  }
  double error = 0;
  for (int k = 0; k < lane_count; ++k) error = std::max(error, worst[k]);
  return error;
}

ARMATURE_VECTOR_WIDTHS void note_largest(int rows, const LaneRow* x, LaneRow* seen) {
  for (int i = 0; i < rows; ++i) step::pack<lane_count>(seen[i].lane) = larger(eight(seen[i]), size_of(eight(x[i])));
}

}  // namespace armature::internal
