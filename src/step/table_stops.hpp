// The tables that a motion depends on, from step to step (system/table_stops.hpp): each step ends at the next edge of one, and a step that
// hides a hump is taken again, to a nearer end.
#pragma once

#include "step/hidden_hump.hpp"

namespace armature::step {

// What is known from step to step of stops that were not reached yet.
struct StopMemory {
  double table = infinity;  // where a step that hides a hump is to end
  double force = infinity;  // where a force was hidden, until it is reached (narrow_forces.hpp)
};

// Look: t -> the next edge, and behind it the numbers of the lookups (Lookup), in the step or where it begins.
class TableStops {
 public:
  // begin: room for lookups where the step begins
  ARMATURE_STEP TableStops(int numbers, double* begin, StopMemory& memory)
      : count_(numbers), begin_(begin), nearer_(memory.table) {}

  // Where the step from t ends at the latest.
  template <class Look>
  ARMATURE_STEP double stop(double t, const Look& look) {
    const double* tables = look(t);
    for (int i = 0; i < count_; ++i) begin_[i] = tables[1 + i];
    return smaller(stop_beyond(t, tables[0]), nearer_);
  }
  // Whether the step hides a hump; the next stop() is nearer then.
  template <class Look>
  ARMATURE_STEP bool hide(double t0, double t1, const Look& look) {
    if (count_ == 0) return false;
    const auto lookups = [&](double t) { return look(t) + 1; };
    nearer_ = end_before_hump(count_, begin_, t0, t1, nearer_ < infinity, lookups);
    return nearer_ < infinity;
  }

 private:
  int count_;
  double* begin_;
  double& nearer_;
};

}  // namespace armature::step
