// Where a step ends before its end: at the first change inside it. Searches follow one another; each looks only as far as those before it
// have found, so that what it finds comes first.
#pragma once

#include "step/zero_search.hpp"

namespace armature::step {

enum class ChangeKind { none, comparison, contact, event };

struct Change {
  ChangeKind kind = ChangeKind::none;
  double t = 0;

  ARMATURE_STEP bool any() const { return kind != ChangeKind::none; }
  ARMATURE_STEP double before(double end) const { return any() ? t : end; }  // that, or the end of the step
  ARMATURE_STEP void take(ChangeKind by, const EventTime& found) {
    if (found.found) kind = by, t = found.t;
  }
};

}  // namespace armature::step
