// All comparisons of one run where one of them changes: those whose roots are zero there are settled (comparison_settling.hpp),
// together where they come to rest together. Where a root jumps, since another outcome or a sampled value has changed, its sign
// gives the outcome. Where friction or a contact holds a root at zero, its outcome is that of zero: a block that sticks does not move.
#pragma once

#include "step/comparison_settling.hpp"

namespace armature::step {

namespace events {
inline constexpr double jumped = 1e-3;             // of the largest a root has been: further from zero it got by a jump
inline constexpr double at_zero = resolved(1e-9);  // a root that is zero with another, against the largest it has been
inline constexpr double held = resolved(1e-6);     // rate of a root that a weight holds, against 1 + its largest
inline constexpr double rests = 1000;  // round-offs of a root: it rests where it moves by less in a tenth of the run
ARMATURE_STEP bool is_held(const Comparison& c, double rate) { return absolute(rate) <= held * (1 + c.scale); }
}  // namespace events

template <class Engine>
class ComparisonChanges : public ComparisonSettling<Engine> {
 public:
  ARMATURE_STEP ComparisonChanges(Engine& engine, const EventSizes& sizes, const EventMemory& memory,
                                  ComparisonStatus* status, double* weight, double rtol)
      : ComparisonSettling<Engine>(engine, sizes, memory, status, weight, rtol), outcomes_(memory.outcomes) {}

  // Outcomes at the start, from the roots, which may depend on other outcomes; one that is zero is settled as at an event.
  ARMATURE_STEP void begin(double t, const double* x) {
    // outcomes by the signs of the roots
    this->set_state(t, x);
    for (int pass = 0; pass < 1 + n_.comparisons; ++pass) {
      engine_.take_outcomes();
      const double* roots = engine_.roots(t_, x_);
      for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].root = roots[k];
      bool changed = false;
      for (int k = 0; k < n_.comparisons; ++k) {
        const double outcome = outcome_of(comparisons_[k].kind, comparisons_[k].root);
        if (this->slides(k) || (weight_[k] == outcome && status_[k] == status_of(comparisons_[k].kind, outcome)))
          continue;
        this->set_outcome(k, outcome);
        changed = true;
      }
      if (!changed) break;
    }
    // what is zero there is settled
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].scale = absolute(comparisons_[k].root);
    take_root_noise(engine_, n_, t_, x_, comparisons_);
    hold_outcomes();
    for (int k = 0; k < n_.comparisons; ++k)
      if (!this->slides(k) && !this->is_floor(k) && absolute(comparisons_[k].root) <= comparisons_[k].noise)
        this->settle(k);
    rest_at_zero();
  }

  // At a change that was found: settles the outcomes that change there.
  ARMATURE_STEP void change(double t, const double* x) {
    // roots, margins and round-off there
    this->set_state(t, x);
    engine_.take_outcomes();
    this->evaluate_margins(t_, x_);
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].before_jump = comparisons_[k].root;
    take_root_noise(engine_, n_, t_, x_, comparisons_);
    hold_outcomes();
    // what is zero, and what jumps with it
    if (!stick_together()) change_those_that_arrive();
    rest_at_zero();
    follow_jumps();
  }

  // Before and after discrete values change at a sample: roots that jump set their outcomes.
  ARMATURE_STEP void before_jump(double t, const double* x) {
    this->evaluate_roots(t, x);
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].before_jump = comparisons_[k].root;
  }
  ARMATURE_STEP void jump(double t, const double* x) {
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
  ARMATURE_STEP void show_equalities(double t, const double* x) {
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

 private:
  using ComparisonSettling<Engine>::engine_;
  using ComparisonSettling<Engine>::n_;
  using ComparisonSettling<Engine>::comparisons_;
  using ComparisonSettling<Engine>::status_;
  using ComparisonSettling<Engine>::weight_;
  using ComparisonSettling<Engine>::t_;
  using ComparisonSettling<Engine>::x_;

  // Whether a root is at its edge but for round-off; it is the edge then.
  ARMATURE_STEP bool is_equality(int k, double& root) const {
    const double edge = this->is_floor(k) ? nearest_integer(root) : 0;
    if (!(absolute(root - edge) <= events::round_off * larger(absolute(edge), comparisons_[k].scale))) return false;
    root = edge;
    return true;
  }

  // --- all comparisons at a change -------------------------------------------------------------------------------------

  ARMATURE_STEP void hold_outcomes() {
    for (int k = 0; k < n_.comparisons; ++k)
      comparisons_[k].held_weight = weight_[k], comparisons_[k].held_status = status_[k];
  }

  // Joints of one loop come to rest together: if weights can hold all roots that are zero here, all of them slide.
  ARMATURE_CALLED bool stick_together() {
    // roots that come to rest here
    int zeros = 0;
    for (int k = 0; k < n_.comparisons; ++k) {
      Comparison& comparison = comparisons_[k];
      const bool arrives = comparison.armed || k == this->fired();
      comparison.chosen = arrives && !this->slides(k) && !this->is_floor(k) &&
                          absolute(comparison.root) <= events::at_zero * comparison.scale;
      zeros += comparison.chosen;
    }
    if (zeros > 1) zeros = choose_those_that_push_back();
    if (zeros < 2) return false;
    // all of them slide, if the weights that this takes are within their ranges and do hold them
    for (int k = 0; k < n_.comparisons; ++k)
      if (comparisons_[k].chosen) this->set(k, ComparisonStatus::sliding);
    if (!are_held()) return take_held_outcomes(), false;
    // they are reported
    for (int k = 0; k < n_.comparisons; ++k) {
      if (!comparisons_[k].chosen) continue;
      comparisons_[k].armed = false;
      engine_.changed(k, comparisons_[k].held_weight, comparisons_[k].held_status);
    }
    return true;
  }

  // A formula that only looks at a speed takes no part in what holds the machine. Returns how many are left.
  ARMATURE_CALLED int choose_those_that_push_back() {
    int left = 0;
    for (int k = 0; k < n_.comparisons; ++k)
      if (comparisons_[k].chosen) left += comparisons_[k].chosen = pushes_back(k);
    this->evaluate_margins(t_, x_);
    return left;
  }
  ARMATURE_CALLED bool pushes_back(int k) {
    const double below = this->rate_with(k, ComparisonStatus::below),
                 above = this->rate_with(k, ComparisonStatus::above);
    const double size = larger(absolute(below), absolute(above));
    const double noise = rate_noise(comparisons_[k], engine_.largest_acceleration());
    this->set(k, comparisons_[k].held_status, comparisons_[k].held_weight);
    return below - above > larger(events::equal_rates * size, noise);
  }

  ARMATURE_CALLED bool are_held() {
    if (engine_.passes_whatever_the_weights(t_, x_)) return false;
    this->evaluate_margins(t_, x_);
    const double* rates = engine_.root_rates();
    bool held = true;
    for (int k = 0; k < n_.comparisons; ++k)
      if (comparisons_[k].chosen)
        held = held && comparisons_[k].margin >= 0 && events::is_held(comparisons_[k], rates[k]);
    return held;
  }

  ARMATURE_STEP void take_held_outcomes() {
    for (int k = 0; k < n_.comparisons; ++k)
      weight_[k] = comparisons_[k].held_weight, status_[k] = comparisons_[k].held_status;
    engine_.take_outcomes();
    this->evaluate_margins(t_, x_);
  }

  ARMATURE_CALLED void change_those_that_arrive() {
    // roots, margins and weights before anything changes
    const double* weights = engine_.weights();
    for (int k = 0; k < n_.comparisons; ++k) {
      Comparison& comparison = comparisons_[k];
      comparison.held_root = comparison.root, comparison.held_margin = comparison.margin;
      outcomes_[k] = weights[k];
    }
    // those at the end of their margins: a weight that leaves its range, a root that has jumped, a root that is zero
    for (int k = 0; k < n_.comparisons; ++k) {
      Comparison& comparison = comparisons_[k];
      if (!(comparison.held_margin < 0 || (comparison.held_margin == 0 && comparison.armed) || k == this->fired()))
        continue;
      const double before = weight_[k];
      const ComparisonStatus status = status_[k];
      comparison.root = comparison.held_root;
      this->count_flutter(k);
      if (this->slides(k))
        this->release(k, outcomes_[k]);
      else if (!this->is_floor(k) &&
               absolute(comparison.root) > larger(events::jumped * comparison.scale, this->tolerance(k)))
        this->set_outcome(k, outcome_of(comparison.kind, comparison.root));
      else
        this->settle(k);
      engine_.changed(k, before, status);
    }
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
};

}  // namespace armature::step
