// Where a table turns: its local maxima and minima, in order. Between two of them it rises or falls throughout, so that its values lie
// between those at the two ends: nothing of it is hidden from who looks at the ends.
#pragma once

#include <vector>

#include "expression/graph.hpp"

namespace armature::internal {

// From one of these to the next the table rises or falls throughout: knots, and places between them where it is flat.
std::vector<double> monotonic_places(const Table& table);

// Of a plateau the first point. Of a table that repeats, those of one period, beyond its first knot and up to its last.
std::vector<double> turning_points(const Table& table);

// The distance from x to the next of some points, as a table over x: a piece of slope -1 up to each point. Points count as reached a
// little before they are, so that round-off does not hold anybody in front of one. Beyond the last point it is 1e300, or the distance to
// the first one of the next period.
struct Recurrence {
  bool repeats = false;
  double first = 0, period = 0;
};
Table distance_to_next(const std::vector<double>& points, const Recurrence& recurrence);

}  // namespace armature::internal
