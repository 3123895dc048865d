// Whether stability, and not accuracy, limits the step of an explicit pair: its |lambda| (integrate/stiffness.hpp) is that of the boundary of
// the stability region.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

struct StabilityLimit {
  // Error control lets steps swing about the boundary by some percent. A quotient far beyond it is that of an entry which other
  // entries drive.
  static constexpr double least_share = 0.85;
  static constexpr double most_share = 1.5;

  static constexpr long many_steps = 10000;  // below, a run is over before anybody minds

  int entry;     // of x, whose slope differs most, in tolerances
  double rate;   // |lambda|, 1/s
  bool reached;  // the step is at the boundary

  // A step of length h. What f and x differ by between its last stage and its end, and the tolerance, of each entry.
  template <class Slope, class Apart, class Tolerance>
  ARMATURE_STEP static StabilityLimit of(int entries, double h, double boundary, const Slope& slope, const Apart& apart,
                                         const Tolerance& tolerance) {
    int entry = 0;
    double most = absolute(slope(0)) / tolerance(0);
    for (int e = 1; e < entries; ++e)
      if (const double share = absolute(slope(e)) / tolerance(e); share > most) most = share, entry = e;
    const double change = absolute(slope(entry)), distance = absolute(apart(entry));
    const bool reached =
        h * change > least_share * boundary * distance && h * change < most_share * boundary * distance;
    return {entry, change / distance, reached};
  }
};

}  // namespace armature::step
