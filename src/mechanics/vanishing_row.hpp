// Whether a row is zero whatever the pose, but for round-off: where the joints of a loop share an axis that is no coordinate
// axis, products of rounded directions leave 1e-16 where a zero belongs. Such a row has no size of its own, and would be taken
// for an independent one. Round-off is measured by what the row is a difference of: places in meters, or pure numbers.
#pragma once

#include <optional>
#include <vector>

#include "mechanics/equations.hpp"

namespace armature::internal {

// The largest value at some random poses, with parameters near theirs; 1 of no expression. Nothing where one of them depends on
// more than positions and parameters.
std::optional<double> size_at_random_poses(const std::vector<Expression>& list, const Equations& equations);

// terms: what phi is a difference of; none: pure numbers. False where something depends on more than positions and parameters.
bool vanishes(Expression phi, const std::vector<Expression>& terms, const Equations& equations);

// Whether x does not move with the positions, but for round-off of the terms; with what parameters it has.
bool stands_still(Expression x, const std::vector<Expression>& terms, const Equations& equations);

}  // namespace armature::internal
