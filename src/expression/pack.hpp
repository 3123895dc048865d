// Four values that go through the same operations, as the right sides of one matrix do. Where a program runs on one state,
// machine code may compute a pack in one vector register, by one instruction instead of four; anything else ignores packs,
// and the results have the same bits.
#pragma once

#include <array>
#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

inline constexpr int pack_width = 4;
using Pack = std::array<Expression, pack_width>;

}  // namespace armature::internal
