// All comparisons of one run where one of them changes: those whose roots are zero there are settled (comparison_settling.hpp),
// together where they come to rest together. Where a root jumps, since another outcome or a sampled value has changed, its sign
// gives the outcome. Where friction or a contact holds a root at zero, its outcome is that of zero: a block that sticks does not move.
#pragma once

#include "step/comparison_jumps.hpp"

namespace armature::step {

namespace events {
inline constexpr double jumped = 1e-3;          // of the largest a root has been: further from zero it got by a jump
inline constexpr double held = resolved(1e-6);  // rate of a root that a weight holds, against 1 + its largest
ARMATURE_STEP bool is_held(const Comparison& c, double rate) { return absolute(rate) <= held * (1 + c.scale); }
}  // namespace events

template <class Engine>
class ComparisonChanges : public ComparisonJumps<Engine> {
 public:
  ARMATURE_STEP ComparisonChanges(Engine& engine, const EventSizes& sizes, const EventMemory& memory,
                                  ComparisonStatus* status, double* weight, double rtol)
      : ComparisonJumps<Engine>(engine, sizes, memory, status, weight, rtol) {}

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
    this->hold_outcomes();
    for (int k = 0; k < n_.comparisons; ++k)
      if (!this->slides(k) && !this->is_floor(k) && absolute(comparisons_[k].root) <= comparisons_[k].noise)
        this->settle(k);
    this->rest_at_zero();
  }

  // At a change that was found: settles the outcomes that change there.
  ARMATURE_STEP void change(double t, const double* x) {
    // roots, margins and round-off there
    this->set_state(t, x);
    engine_.take_outcomes();
    this->evaluate_margins(t_, x_);
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].before_jump = comparisons_[k].root;
    take_root_noise(engine_, n_, t_, x_, comparisons_);
    this->hold_outcomes();
    // what is zero, and what jumps with it
    if (!stick_together()) change_those_that_arrive();
    this->rest_at_zero();
    this->follow_jumps();
  }

 private:
  using ComparisonSettling<Engine>::engine_;
  using ComparisonSettling<Engine>::n_;
  using ComparisonSettling<Engine>::comparisons_;
  using ComparisonSettling<Engine>::status_;
  using ComparisonSettling<Engine>::weight_;
  using ComparisonSettling<Engine>::t_;
  using ComparisonSettling<Engine>::x_;
  using ComparisonJumps<Engine>::outcomes_;

  // --- all comparisons at a change -------------------------------------------------------------------------------------

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
};

}  // namespace armature::step
