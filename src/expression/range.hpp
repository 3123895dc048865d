// Ranges (step/range.hpp) of functions that the processor alone has, and of tables.
#pragma once

#include "expression/graph.hpp"
#include "step/range.hpp"

namespace armature::internal {

using step::Range;

Range tangent(Range x);
Range power(Range x, Range y);
Range of_table(const Table& table, int derivative, Range x);

}  // namespace armature::internal
