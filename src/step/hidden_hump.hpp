// Whether a step hides a hump of a table that the motion depends on (system/table_stops.hpp).
#pragma once

#include "step/step_control.hpp"

namespace armature::step {

// Tables by pairs of value y and variation V, as parts of the table's range, where a step begins and where it ends. Of the change of V a tenth
// may be hidden: a step that ends at a turn goes a little beyond it. A hump below 1e-4 of the range is left to the error estimate.
ARMATURE_STEP bool hides_hump(int count, const double* begin, const double* end) {
  constexpr double share = 0.1, least_hump = 1e-4;
  for (int i = 0; i < count; i += 2) {
    const double change = absolute(end[i] - begin[i]), way = absolute(end[i + 1] - begin[i + 1]);
    if (way - change > larger(share * way, 2 * least_hump)) return true;
  }
  return false;
}

// Where such a step ends when it is taken again; infinite: it is as short as time allows.
ARMATURE_STEP double half_as_long(double begin, double end) {
  const double half = begin + (end - begin) / 2;
  return stop_beyond(begin, half);
}

}  // namespace armature::step
