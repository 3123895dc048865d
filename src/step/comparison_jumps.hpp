// Comparisons where what is held changes, or velocities jump: the sign of a root that jumps gives the outcome. Where friction or a contact
// holds a root at zero, its outcome is that of zero: a block that sticks does not move.
#pragma once

#include "step/comparison_settling.hpp"

namespace armature::step {

namespace events {
inline constexpr double at_zero = resolved(1e-9);  // a root that is zero with another, against the largest it has been
inline constexpr double rests = 1000;  // round-offs of a root: it rests where it moves by less in a tenth of the run
}  // namespace events

template <class Engine>
class ComparisonJumps : public ComparisonSettling<Engine> {
 public:
  ARMATURE_STEP ComparisonJumps(Engine& engine, const EventSizes& sizes, const EventMemory& memory,
                                ComparisonStatus* status, double* weight, double rtol)
      : ComparisonSettling<Engine>(engine, sizes, memory, status, weight, rtol), outcomes_(memory.outcomes) {}

  // What is held changes at the state, by change(), which sees what show_equalities() shows: roots that jump set their outcomes.
  template <class Change>
  ARMATURE_STEP void change_held(double t, const double* x, const Change& change) {
    before_jump(t, x);
    show_equalities(t, x);
    change();
    jump(t, x);
  }
  // The same where velocities jump: change() moves x.
  template <class Change>
  ARMATURE_STEP void jump_with(double t, const double* x, const Change& change) {
    before_jump(t, x);
    change();
    jump(t, x);
  }

 protected:
  using ComparisonSettling<Engine>::engine_;
  using ComparisonSettling<Engine>::n_;
  using ComparisonSettling<Engine>::comparisons_;
  using ComparisonSettling<Engine>::status_;
  using ComparisonSettling<Engine>::weight_;
  using ComparisonSettling<Engine>::t_;
  using ComparisonSettling<Engine>::x_;

  ARMATURE_STEP void hold_outcomes() {
    for (int k = 0; k < n_.comparisons; ++k)
      comparisons_[k].held_weight = weight_[k], comparisons_[k].held_status = status_[k];
  }

  // Some root is close to zero, and its outcome may still be that of a side.
  ARMATURE_STEP bool comes_to_rest() const {
    for (int k = 0; k < n_.comparisons; ++k) {
      const Comparison& comparison = comparisons_[k];
      const bool is_settled = !comparison.armed && weight_[k] == outcome_of(comparison.kind, 0);
      if (!is_settled && !this->slides(k) && !this->is_floor(k) &&
          absolute(comparison.root) <= events::at_zero * comparison.scale)
        return true;
    }
    return false;
  }

  // Roots that stay at zero, but for round-off. One that has just been let go is on its way.
  ARMATURE_CALLED void rest_at_zero() {
    this->evaluate_roots(t_, x_);
    for (int k = 0; k < n_.comparisons; ++k)
      comparisons_[k].chosen = absolute(comparisons_[k].root) <= comparisons_[k].noise && !this->slides(k) &&
                               !this->is_floor(k) && comparisons_[k].held_status != ComparisonStatus::sliding;
    for (int k = 0; k < n_.comparisons; ++k)
      if (comparisons_[k].chosen) comparisons_[k].chosen = rest(k);
  }

  // Whether it does not move on with the outcome of zero.
  ARMATURE_CALLED bool rest(int k) {
    Comparison& comparison = comparisons_[k];
    const double before = weight_[k], zero = outcome_of(comparison.kind, 0);
    const ComparisonStatus status = status_[k];
    const double rate = this->rate_with(k, status_of(comparison.kind, zero));
    if (absolute(rate) > events::rests * comparison.noise * n_.rate()) return this->set(k, status, before), false;
    comparison.armed = comparison.crosses = false;
    comparison.slack = 0;
    if (before != zero) engine_.changed(k, before, status);
    return true;
  }

  // --- jumps -----------------------------------------------------------------------------------------------------------

  // Where a formula jumps, roots that depend on it jump too, and their outcomes follow at once; until no more of them do.
  ARMATURE_CALLED void follow_jumps() {
    for (int pass = 0; pass <= n_.comparisons; ++pass) {
      this->evaluate_roots(t_, x_);
      for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].held_root = comparisons_[k].root;
      bool changed = false;
      for (int k = 0; k < n_.comparisons; ++k) {
        if (comparisons_[k].held_root == comparisons_[k].before_jump) continue;
        const double before = weight_[k];
        const ComparisonStatus status = status_[k];
        if (!follow_jump(k, comparisons_[k].held_root)) continue;
        engine_.changed(k, before, status);
        changed = true;
      }
      for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].before_jump = comparisons_[k].held_root;
      if (!changed) return;
    }
  }

  // The sign of the root gives the outcome; where it lands on zero, what happens next, unless it rests there. Returns whether it is another one.
  ARMATURE_STEP bool follow_jump(int k, double root) {
    Comparison& comparison = comparisons_[k];
    const double before = weight_[k];
    const ComparisonStatus status = status_[k];
    comparison.scale = larger(comparison.scale, absolute(root));
    const double size = absolute(root);
    if ((this->slides(k) && size <= this->tolerance(k)) || (comparison.chosen && size <= comparison.noise))
      return false;
    if (!this->is_floor(k) && absolute(root) <= comparison.noise) {
      this->settle(k);
    } else {
      comparison.armed = !this->is_floor(k);
      comparison.slack = 0;
      this->set_outcome(k, outcome_of(comparison.kind, root));
    }
    return weight_[k] != before || status_[k] != status;
  }

  double* outcomes_;

 private:
  // Whether a root is at its edge but for round-off; it is the edge then.
  ARMATURE_STEP bool is_equality(int k, double& root) const {
    const double edge = this->is_floor(k) ? nearest_integer(root) : 0;
    if (!(absolute(root - edge) <= events::round_off * larger(absolute(edge), comparisons_[k].scale))) return false;
    root = edge;
    return true;
  }

  // Before and after a jump.
  ARMATURE_CALLED void before_jump(double t, const double* x) {
    this->evaluate_roots(t, x);
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].before_jump = comparisons_[k].root;
  }
  ARMATURE_CALLED void jump(double t, const double* x) {
    this->forget_weights();
    this->set_state(t, x);
    this->evaluate_roots(t_, x_);
    bool same = true;
    for (int k = 0; k < n_.comparisons; ++k) same = same && comparisons_[k].root == comparisons_[k].before_jump;
    if (same && !comes_to_rest()) return;
    take_root_noise(engine_, n_, t_, x_, comparisons_);
    hold_outcomes();
    rest_at_zero();
    if (!same) follow_jumps();
  }

  // What a sample at the state sees: where a root is zero but for round-off, its formula's outcome at equality. A sample at
  // t = n P of what is cut out of mod(t, P) falls upon its step, or beside it by round-off. The outcomes stay. Roots may depend on
  // other outcomes: repeated until the outcomes stand.
  ARMATURE_CALLED void show_equalities(double t, const double* x) {
    this->evaluate_roots(t, x);
    const double* weights = engine_.weights();
    for (int k = 0; k < n_.comparisons; ++k) outcomes_[k] = weights[k];
    bool changed = true;
    for (int pass = 0; changed && pass <= n_.comparisons; ++pass) {
      changed = false;
      for (int k = 0; k < n_.comparisons; ++k) {
        double root = comparisons_[k].root;
        const bool equal = is_equality(k, root);
        if (this->slides(k) || (pass == 0 && !equal)) continue;
        const double outcome = outcome_of(comparisons_[k].kind, root);
        changed = changed || outcome != outcomes_[k];
        outcomes_[k] = outcome;
      }
      const double* roots = engine_.roots_with(outcomes_);
      for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].root = roots[k];
    }
  }
};

}  // namespace armature::step
