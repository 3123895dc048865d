// The order of straight-line code that keeps few values alive, for machines on which all that does not fit into registers is slow to reach: a
// thread of a GPU has room for some 120 numbers.
//
// Of the values whose operands are there, next comes the one that ends the lives of most others. Of equals, it is the one that comes first
// depth first, where operands that need more registers precede those that need fewer (Sethi and Ullman).
#pragma once

#include "expression/straight_line.hpp"

namespace armature::internal {

double mean_alive(const StraightLine& line);  // values that are known and still needed, on average

// Where more than `most` are alive on average, and fewer in that order. The line has no packs.
void keep_few_alive(StraightLine& line, double most = 120);

}  // namespace armature::internal
