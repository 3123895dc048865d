// Where steps have to end so that no hump of a table lies between the moments at which they look: Equations::stops.
//
// A force that follows table(x), of the time or of an angle, may be zero for long, so that steps grow, and then act for a moment. A step
// across that moment sees nothing of it, and its error estimate neither. Every step that error control chooses therefore ends where the
// table turns, at the latest: between two turns the table rises or falls throughout, the step sees it at both ends, and the error
// estimate does the rest. With D(x) the distance to the next turn that is at t + D(x)/|xdot|: exact where x moves evenly, as the time
// does; of a position, a prediction by its rate where the step begins.
//
// A position may speed up within the step, and velocities and currents have no such prediction. A step is therefore looked at once more
// where it ends. The table's value changes by dy over the step, its variation (expression/variation.hpp) by dV: where dV is more than
// |dy|, a hump of (dV - |dy|)/2 lies inside, and the step is taken again, half as long (step/hidden_hump.hpp).
//
// The argument x may also turn inside the step and come back over the same hump, and V with it. Where the rate of x changes its sign over the
// step, or is not known, V is therefore summed up to each turn of x and on from there, and a step that hides a hump by such a turn is taken
// again up to it.
// Short linear tables need neither: their corners are comparisons, which are events.
#pragma once

#include "mechanics/equations.hpp"

namespace armature::internal {

// Of the tables that the motion depends on: stops where the argument is of time, positions and parameters; lookups unless that
// argument moves evenly.
void add_table_stops(Equations& equations);

inline bool has_table_stops(const Equations& equations) {
  return !equations.stops.empty() || !equations.lookups.empty();
}

}  // namespace armature::internal
