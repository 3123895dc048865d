// The total variation of a table: how far its value has gone up and down on the way to x.
//
//     V(x) = integral of |table'| from the first knot to x
//
// Between two places x0 and x1 the value changes by table(x1) - table(x0), and the variation by at least as much. What is missing is
// twice the height of the humps in between.
#pragma once

#include "expression/graph.hpp"

namespace armature::internal {

// V(x) = table(x) + slope*(x - first). Exact within the knots, constant beyond them; that of a table that repeats goes on and on.
struct Variation {
  Table table;
  double slope = 0, first = 0;
};
Variation variation(const Table& table);

}  // namespace armature::internal
