// What becomes of one comparison whose root is zero: both outcomes are tried.
//
//   d(root)/dt has one sign for both           the root passes through zero: the outcome changes
//   each outcome pushes the root back to zero  the comparison slides (stiction): a weight between, with d(root)/dt = 0
//
// Sliding ends when the weight that would be needed leaves its range. A floor changes where its argument leaves [n, n + 1).
#pragma once

#include "step/event_search.hpp"

namespace armature::step {

namespace events {
inline constexpr double equal_rates = resolved(1e-9);  // rates of a root with both outcomes, against the larger one
}  // namespace events

template <class Engine>
class ComparisonSettling : public EventSearch<Engine> {
 public:
  ARMATURE_STEP ComparisonSettling(Engine& engine, const EventSizes& sizes, const EventMemory& memory,
                                   ComparisonStatus* status, double* weight, double rtol)
      : EventSearch<Engine>(engine, sizes, memory, status, weight, rtol), x_(memory.x) {}

 protected:
  using EventSearch<Engine>::engine_;
  using EventSearch<Engine>::n_;
  using EventSearch<Engine>::comparisons_;
  using EventSearch<Engine>::status_;
  using EventSearch<Engine>::weight_;

  ARMATURE_STEP void set_state(double t, const double* x) {
    t_ = t;
    for (int i = 0; i < n_.nx; ++i) x_[i] = x[i];
  }

  // --- outcomes --------------------------------------------------------------------------------------------------------

  ARMATURE_STEP void set(int k, ComparisonStatus status, double weight) {
    this->forget_weights();
    this->forget_pace();
    if (status == ComparisonStatus::sliding) comparisons_[k].crosses = false;
    status_[k] = status;
    weight_[k] = weight;
    engine_.take_outcomes();
  }
  ARMATURE_STEP void set(int k, ComparisonStatus status) {
    set(k, status, status == ComparisonStatus::above ? 1 : status == ComparisonStatus::below ? 0 : 0.5);
  }
  ARMATURE_STEP void set_outcome(int k, double outcome) { set(k, status_of(comparisons_[k].kind, outcome), outcome); }

  ARMATURE_CALLED double rate_with(int k, ComparisonStatus status) {
    set(k, status);
    return engine_.derivative(t_, x_) ? engine_.root_rates()[k] : 0;
  }

  // --- at a zero -------------------------------------------------------------------------------------------------------

  ARMATURE_CALLED void settle(int k) {
    Comparison& comparison = comparisons_[k];
    comparison.armed = comparison.crosses = false;
    comparison.slack = 0;
    if (this->is_floor(k)) return settle_floor(k);
    // d(root)/dt with both outcomes, and the weight between them with which it is zero
    const double below = rate_with(k, ComparisonStatus::below), above = rate_with(k, ComparisonStatus::above);
    const double size = larger(absolute(below), absolute(above));
    const double weight = below / (below - above);
    const double noise = rate_noise(comparison, engine_.largest_acceleration());
    // both push it back: the comparison slides
    if (below - above > larger(events::equal_rates * size, noise) &&
        absolute(weight - 0.5) <= 0.5 * comparison.breakaway)
      return set(k, ComparisonStatus::sliding);
    // both push it the same way: it crosses; else it leaves, or rests
    comparison.crosses = smaller(absolute(below), absolute(above)) > noise;
    if (below > 0 && above > 0) return cross(k, ComparisonStatus::above);
    if (below < 0 && above < 0) return cross(k, ComparisonStatus::below);
    comparison.crosses = false;
    leave_zero(k);
  }

  // The state may be a little before the zero.
  ARMATURE_STEP void cross(int k, ComparisonStatus status) {
    set(k, status);
    comparisons_[k].slack =
        2 * larger(0.0, status == ComparisonStatus::above ? -comparisons_[k].root : comparisons_[k].root);
  }

  // Pushed away from zero either way, or at rest on it: as the formula says.
  ARMATURE_STEP void leave_zero(int k) {
    this->evaluate_roots(t_, x_);
    set_outcome(k, outcome_of(comparisons_[k].kind, comparisons_[k].root));
  }

  // At one of its two edges, from the inside.
  ARMATURE_STEP void settle_floor(int k) {
    this->evaluate_roots(t_, x_);
    const double n = weight_[k];
    set_outcome(k, comparisons_[k].root - n > 0.5 ? n + 1 : n - 1);
  }

  ARMATURE_STEP void release(int k, double weight) {
    Comparison& comparison = comparisons_[k];
    set(k, weight > 0.5 ? ComparisonStatus::above : ComparisonStatus::below);
    comparison.armed = comparison.crosses = false;
    comparison.slack = 2 * larger(0.0, weight > 0.5 ? -comparison.root : comparison.root);
  }

  double t_ = 0;
  double* x_;
};

}  // namespace armature::step
