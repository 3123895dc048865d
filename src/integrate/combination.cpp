#include "integrate/combination.hpp"

#include "expression/lanes.hpp"

namespace armature {

namespace {

using Eight = double __attribute__((vector_size(64), aligned(8), may_alias));

}  // namespace

// Column by column for each number, as if the columns were added one after the other.
ARMATURE_VECTOR_WIDTHS void Combination::add_to(int count, const double* factor, const double* const* column,
                                                double* result, int n) {
  int e = 0;
  for (; e + 8 <= n; e += 8) {
    Eight sum = *reinterpret_cast<const Eight*>(result + e);
    for (int i = 0; i < count; ++i) sum += factor[i] * *reinterpret_cast<const Eight*>(column[i] + e);
    *reinterpret_cast<Eight*>(result + e) = sum;
  }
  for (; e < n; ++e)
    for (int i = 0; i < count; ++i) result[e] += factor[i] * column[i][e];
}

}  // namespace armature
