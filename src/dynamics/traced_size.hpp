// How long the constrained acceleration would be as straight-line code. Where loops share many velocities, as those of a
// platform with many legs do, S = Phi M^-1 Phi' is full, and its factorization takes m^3/6 multiplications: numbers are then
// factored by their pattern at each evaluation, and nothing is traced.
#pragma once

#include "system/system.hpp"

namespace armature::internal {

inline constexpr long longest_traced =
    400000;  // operations; beyond it loading takes seconds, and code leaves the caches

// An estimate from the patterns of M and Phi: the operations of all terms, of S and of its factorization, by whichever way is
// shorter.
long traced_size(const System& system, const SparseTerms& terms, const std::vector<int>& independent_rows);

}  // namespace armature::internal
