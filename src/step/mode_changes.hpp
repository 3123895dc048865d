// All modes of one run where one of them changes: those whose roots are zero there are settled (mode_settling.hpp), together where
// they come to rest together. Where a root jumps, since another mode or a sampled value has changed, its sign gives the mode.
#pragma once

#include "step/mode_settling.hpp"

namespace armature::step {

namespace events {
// A root this far from zero, against the largest it has been, did not get there smoothly.
inline constexpr double jumped = 1e-3;
inline constexpr double at_zero = 1e-9;  // a root that is zero together with another, against the largest it has been
inline constexpr double held =
    1e-6;  // the rate of a root that a weight holds at zero, against 1 + the largest it has been
}  // namespace events

template <class Engine>
class ModeChanges : public ModeSettling<Engine> {
 public:
  ARMATURE_STEP ModeChanges(Engine& engine, const EventSizes& sizes, const EventMemory& memory, ModeStatus* status,
                            double* weight, double rtol)
      : ModeSettling<Engine>(engine, sizes, memory, status, weight, rtol), outcomes_(memory.outcomes) {}

  // Outcomes at the start, from the roots; a root that is zero is settled as at an event. Roots may depend on other modes:
  // repeated until the outcomes stand.
  ARMATURE_STEP void begin(double t, const double* x) {
    // outcomes by the signs of the roots
    this->set_state(t, x);
    for (int pass = 0; pass < 1 + n_.modes; ++pass) {
      engine_.take_modes();
      const double* roots = engine_.roots(t_, x_);
      for (int k = 0; k < n_.modes; ++k) modes_[k].root = roots[k];
      bool changed = false;
      for (int k = 0; k < n_.modes; ++k) {
        const double outcome = outcome_of(modes_[k].kind, modes_[k].root);
        if (this->slides(k) || (weight_[k] == outcome && status_[k] == status_of(modes_[k].kind, outcome))) continue;
        this->set_outcome(k, outcome);
        changed = true;
      }
      if (!changed) break;
    }
    // what is zero there is settled
    for (int k = 0; k < n_.modes; ++k) modes_[k].scale = absolute(modes_[k].root);
    take_root_noise(engine_, n_, t_, x_, modes_);
    for (int k = 0; k < n_.modes; ++k)
      if (!this->slides(k) && !this->is_floor(k) && absolute(modes_[k].root) <= modes_[k].noise) this->settle(k);
  }

  // At a change that was found: settles the modes that change there.
  ARMATURE_STEP void change(double t, const double* x) {
    // roots, margins and round-off there
    this->set_state(t, x);
    engine_.take_modes();
    this->evaluate_margins(t_, x_);
    for (int k = 0; k < n_.modes; ++k) modes_[k].before_jump = modes_[k].root;
    take_root_noise(engine_, n_, t_, x_, modes_);
    // what is zero, and what jumps with it
    if (!stick_together()) change_those_that_arrive();
    follow_jumps();
  }

  // Before and after discrete values change at a sample: roots that jump set their modes.
  ARMATURE_STEP void before_jump(double t, const double* x) {
    this->evaluate_roots(t, x);
    for (int k = 0; k < n_.modes; ++k) modes_[k].before_jump = modes_[k].root;
  }
  ARMATURE_STEP void jump(double t, const double* x) {
    this->forget_weights();
    this->set_state(t, x);
    this->evaluate_roots(t_, x_);
    bool same = true;
    for (int k = 0; k < n_.modes; ++k) same = same && modes_[k].root == modes_[k].before_jump;
    if (same) return;
    take_root_noise(engine_, n_, t_, x_, modes_);
    follow_jumps();
  }

  // What a sample at the state sees: where a root is zero but for round-off, its formula's outcome at equality. A sample at
  // t = n P of what is cut out of mod(t, P) falls upon its step, or beside it by round-off. The modes stay. Roots may depend on
  // other modes: repeated until the outcomes stand.
  ARMATURE_STEP void show_equalities(double t, const double* x) {
    this->evaluate_roots(t, x);
    const double* weights = engine_.weights();
    for (int k = 0; k < n_.modes; ++k) outcomes_[k] = weights[k];
    bool changed = true;
    for (int pass = 0; changed && pass <= n_.modes; ++pass) {
      changed = false;
      for (int k = 0; k < n_.modes; ++k) {
        double root = modes_[k].root;
        const bool equal = is_equality(k, root);
        if (this->slides(k) || (pass == 0 && !equal)) continue;
        const double outcome = outcome_of(modes_[k].kind, root);
        changed = changed || outcome != outcomes_[k];
        outcomes_[k] = outcome;
      }
      const double* roots = engine_.roots_with(outcomes_);
      for (int k = 0; k < n_.modes; ++k) modes_[k].root = roots[k];
    }
  }

 private:
  using ModeSettling<Engine>::engine_;
  using ModeSettling<Engine>::n_;
  using ModeSettling<Engine>::modes_;
  using ModeSettling<Engine>::status_;
  using ModeSettling<Engine>::weight_;
  using ModeSettling<Engine>::t_;
  using ModeSettling<Engine>::x_;

  // Whether a root is at its edge but for round-off; it is the edge then.
  ARMATURE_STEP bool is_equality(int k, double& root) const {
    const double edge = this->is_floor(k) ? nearest_integer(root) : 0;
    if (!(absolute(root - edge) <= events::round_off * larger(absolute(edge), modes_[k].scale))) return false;
    root = edge;
    return true;
  }

  // --- all modes at a change -------------------------------------------------------------------------------------------

  ARMATURE_STEP void hold_modes() {
    for (int k = 0; k < n_.modes; ++k) modes_[k].held_weight = weight_[k], modes_[k].held_status = status_[k];
  }

  // Joints of one loop come to rest together: if weights can hold all roots that are zero here, all of them slide.
  ARMATURE_STEP bool stick_together() {
    // roots that come to rest here
    int zeros = 0;
    for (int k = 0; k < n_.modes; ++k) {
      Mode& mode = modes_[k];
      const bool arrives = mode.armed || k == this->fired();
      mode.chosen =
          arrives && !this->slides(k) && !this->is_floor(k) && absolute(mode.root) <= events::at_zero * mode.scale;
      zeros += mode.chosen;
    }
    if (zeros < 2) return false;
    // all of them slide, if the weights that this takes are within their ranges and do hold them
    hold_modes();
    for (int k = 0; k < n_.modes; ++k)
      if (modes_[k].chosen) this->set(k, ModeStatus::sliding);
    this->evaluate_margins(t_, x_);
    const double* rates = engine_.root_rates();
    bool held = true;
    for (int k = 0; k < n_.modes; ++k)
      if (modes_[k].chosen)
        held = held && modes_[k].margin >= 0 && absolute(rates[k]) <= events::held * (1 + modes_[k].scale);
    if (!held) return take_held_modes(), false;
    // they are reported
    for (int k = 0; k < n_.modes; ++k) {
      if (!modes_[k].chosen) continue;
      modes_[k].armed = false;
      engine_.changed(k, modes_[k].held_weight, modes_[k].held_status);
    }
    return true;
  }

  ARMATURE_STEP void take_held_modes() {
    for (int k = 0; k < n_.modes; ++k) weight_[k] = modes_[k].held_weight, status_[k] = modes_[k].held_status;
    engine_.take_modes();
    this->evaluate_margins(t_, x_);
  }

  ARMATURE_STEP void change_those_that_arrive() {
    // roots, margins and weights before anything changes
    const double* weights = engine_.weights();
    for (int k = 0; k < n_.modes; ++k) {
      Mode& mode = modes_[k];
      mode.held_root = mode.root, mode.held_margin = mode.margin;
      outcomes_[k] = weights[k];
    }
    // those at the end of their margins: a weight that leaves its range, a root that has jumped, a root that is zero
    for (int k = 0; k < n_.modes; ++k) {
      Mode& mode = modes_[k];
      if (!(mode.held_margin < 0 || (mode.held_margin == 0 && mode.armed) || k == this->fired())) continue;
      const double before = weight_[k];
      const ModeStatus status = status_[k];
      mode.root = mode.held_root;
      this->count_flutter(k);
      if (this->slides(k))
        this->release(k, outcomes_[k]);
      else if (!this->is_floor(k) && absolute(mode.root) > larger(events::jumped * mode.scale, this->tolerance(k)))
        this->set_outcome(k, outcome_of(mode.kind, mode.root));
      else
        this->settle(k);
      engine_.changed(k, before, status);
    }
  }

  // --- jumps -----------------------------------------------------------------------------------------------------------

  // Where a formula jumps, roots that depend on it jump too, and their modes follow at once; until no more of them do.
  ARMATURE_STEP void follow_jumps() {
    for (int pass = 0; pass <= n_.modes; ++pass) {
      this->evaluate_roots(t_, x_);
      for (int k = 0; k < n_.modes; ++k) modes_[k].held_root = modes_[k].root;
      bool changed = false;
      for (int k = 0; k < n_.modes; ++k) {
        if (modes_[k].held_root == modes_[k].before_jump) continue;
        const double before = weight_[k];
        const ModeStatus status = status_[k];
        if (!follow_jump(k, modes_[k].held_root)) continue;
        engine_.changed(k, before, status);
        changed = true;
      }
      for (int k = 0; k < n_.modes; ++k) modes_[k].before_jump = modes_[k].held_root;
      if (!changed) return;
    }
  }

  // The sign of the root gives the mode; where it lands on zero, what happens next. Returns whether the mode is another one.
  ARMATURE_STEP bool follow_jump(int k, double root) {
    Mode& mode = modes_[k];
    const double before = weight_[k];
    const ModeStatus status = status_[k];
    mode.scale = larger(mode.scale, absolute(root));
    if (this->slides(k) && absolute(root) <= this->tolerance(k)) return false;
    if (!this->is_floor(k) && absolute(root) <= mode.noise) {
      this->settle(k);
    } else {
      mode.armed = !this->is_floor(k);
      mode.slack = 0;
      this->set_outcome(k, outcome_of(mode.kind, root));
    }
    return weight_[k] != before || status_[k] != status;
  }

  double* outcomes_;
};

}  // namespace armature::step
