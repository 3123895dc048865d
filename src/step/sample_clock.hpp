// The clocks of sampled values: each ticks at offset + k period.
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

// In place of the clock of a discrete value.
inline constexpr int follows_steps = -1, never_changes = -2;

// Of several clocks: Clocks gives the k-th by [k].
template <class Clocks>
ARMATURE_STEP double next_sample(const Clocks& clocks, int count) {  // infinite: there is none
  double time = infinity;
  for (int k = 0; k < count; ++k) time = smaller(time, clocks[k].time());
  return time;
}
template <class Clocks>
ARMATURE_STEP bool sample_due(const Clocks& clocks, int count, double t) {
  for (int k = 0; k < count; ++k)
    if (clocks[k].due(t)) return true;
  return false;
}
// What is due, all from the values before: look() before the first; take(k): the values of a clock, which then ticks. False: nothing is.
template <class Clocks, class Look, class Take>
ARMATURE_STEP bool take_samples(const Clocks& clocks, int count, double t, const Look& look, const Take& take) {
  bool any = false;
  for (int k = 0; k < count; ++k) {
    if (!clocks[k].due(t)) continue;
    if (!any) look();
    any = true;
    take(k);
  }
  return any;
}

}  // namespace armature::step
