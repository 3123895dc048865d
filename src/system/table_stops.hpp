// Where steps have to end so that no hump of a table lies between the moments at which they look: Equations::stops.
//
// A force that follows table(x), of the time or of an angle, may be zero for long, so that steps grow, and then act for a moment. A step
// across that moment sees nothing of it, and its error estimate neither. Every step that error control chooses therefore ends where the
// table turns, at the latest: between two turns the table rises or falls throughout, the step sees it at both ends, and the error
// estimate does the rest. With D(x) the distance to the next turn that is at t + D(x)/|xdot|: exact where x moves evenly, as the time
// does; of a position that is speeded up, a prediction by its rate where the step begins.
// Short linear tables need no stops: their corners are comparisons, which are events.
#pragma once

#include "mechanics/equations.hpp"

namespace armature::internal {

// Of the tables that the motion depends on, with arguments of time, positions and parameters.
void add_table_stops(Equations& equations);

}  // namespace armature::internal
