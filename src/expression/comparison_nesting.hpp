// How deep comparisons are nested: 1 where no root depends on another comparison, 2 where one does (mod(t, 1) < 0.5: a comparison of a
// floor), … Outcomes that are taken from their roots, all at once and so many times, agree with all roots.
#pragma once

#include "expression/graph.hpp"

namespace armature::internal {

int comparison_nesting(const Graph& graph);

}  // namespace armature::internal
