// How long the next step is: proportional-integral control of the error per step (Gustafsson; Hairer, Wanner, Solving
// ODEs II, IV.2). With err the error norm of a step (1: just tolerated) and k the order of the estimate,
//
//     h_new = h * min(grow, max(shrink, 0.9 err^-(0.85/k) err_previous^(0.2/k)))     after an accepted step
//     h_new = h * max(shrink, 0.9 err^-(1/k))                                        after a rejected one.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

class StepControl {
 public:
  StepControl() = default;
  ARMATURE_STEP StepControl(int error_order, double max_step)
      : order_(error_order), max_step_(max_step > 0 ? max_step : infinity) {}

  ARMATURE_STEP bool has_length() const { return length_ > 0; }
  ARMATURE_STEP double length() const { return length_; }  // what the control asks for, stops aside
  ARMATURE_STEP void set_length(double h) { length_ = smaller(h, max_step_); }
  // Keeps the length.
  ARMATURE_STEP void forget_history() { previous_ = logarithm(smallest_memory), rejected_ = false; }

  // The step to take where the next stop is `remaining` away: never beyond it, and leaving either nothing or about a step.
  ARMATURE_STEP double towards(double remaining) const {
    if (remaining <= stretch * length_ && remaining <= max_step_) return remaining;
    if (remaining < 2 * length_) return remaining / 2;
    return length_;
  }

  // h may have been cut short by a stop; that does not lower what is asked for later.
  ARMATURE_STEP void accept(double h, double error) {
    const double size = logarithm(larger(error, smallest_normal));
    const double wanted = safety * exponential((0.2 * previous_ - 0.85 * size) / order_);
    const double factor = clamped(wanted, shrink, rejected_ ? 1 : grow);
    if (h < length_) {
      set_length(larger(length_, h * factor));
    } else {
      set_length(h * factor);
      previous_ = larger(size, logarithm(smallest_memory));
    }
    rejected_ = false;
  }

  ARMATURE_STEP void reject(double h, double error) {
    set_length(h * clamped(safety * power(error, -1 / order_), shrink, safety));
    rejected_ = true;
  }

  // There is no error to go by: a quarter.
  ARMATURE_STEP void fail(double h) { set_length(h / 4), rejected_ = true; }

 private:
  static constexpr double safety = 0.9, shrink = 0.2, grow = 6;
  static constexpr double stretch = 1.01;          // a step may be this much longer if it then meets a stop
  static constexpr double smallest_memory = 1e-4;  // a step that was far too accurate says little about the next

  double order_ = 1, max_step_ = infinity, length_ = 0;
  double previous_ = logarithm(smallest_memory);  // ln of the previous error
  bool rejected_ = false;
};

// An error norm that no projection mends: a percent of the state. Less may lie off the manifold altogether: where the
// constraints are nearly singular most of the error does, and small steps would creep up to that place for ever.
ARMATURE_STEP double hopeless_error(double rtol) { return larger(100.0, 1e-2 / rtol); }

// A correction, as a part of the tolerance, that leaves f what it is: the next state hears of it through h |df/dx| b_1, which
// is a few hundredths. (Errors of whole motions of the press, the Stewart platform and the 3RRR robot are the same to three
// digits for corrections of 0.1 to 10.)
inline constexpr double short_correction = 3;

// Below it t no longer moves; at t = 0, where every step moves it, what is nothing against the run.
ARMATURE_STEP double smallest_step_length(double t, double t_stop) {
  return 16 * epsilon * larger(absolute(t), epsilon * absolute(t_stop - t));
}

// The end of a step that a table asks for (system/table_stops.hpp). A stop that round-off leaves at t asks for nothing.
ARMATURE_STEP double stop_beyond(double t, double stop) {
  return stop - t > smallest_step_length(t, stop) ? stop : infinity;
}

}  // namespace armature::step
