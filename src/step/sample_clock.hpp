// The clock of sampled values: it ticks at offset + k period.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

struct SampleClock {
  static constexpr double same_time = resolved(1e-9);  // of a period
  double period = 0, offset = 0;
  long long count = 0;  // of the next tick

  ARMATURE_STEP static SampleClock from(double period, double offset, double t_start) {
    const double first = -rounded_down(same_time - (t_start - offset) / period);  // at t_start, or after it
    return {period, offset, first > 0 ? static_cast<long long>(first) : 0};
  }
  ARMATURE_STEP double time() const { return offset + static_cast<double>(count) * period; }
  ARMATURE_STEP bool due(double t) const { return !(time() > t + same_time * period); }
  ARMATURE_STEP void tick() { ++count; }
  // Past every tick that is due.
  ARMATURE_STEP void tick_beyond(double t) {
    const long long first = from(period, offset, t).count;
    if (count < first) count = first;
    while (due(t)) tick();
  }
};

}  // namespace armature::step
