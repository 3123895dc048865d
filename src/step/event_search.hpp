// The first time in a step at which an outcome of one run has to change: where a root becomes zero, or where the weight of a
// comparison that slides leaves its range.
#pragma once

#include "step/comparison_margins.hpp"
#include "step/margin_walk.hpp"
#include "step/zero_search.hpp"

namespace armature::step {

namespace events {
// A root that leaves zero by less than this, against its round-off, before it is zero again: round-off decides the motion.
inline constexpr double flutter = 100;
}  // namespace events

template <class Engine>
class EventSearch : public ComparisonMargins<Engine> {
 public:
  ARMATURE_STEP EventSearch(Engine& engine, const EventSizes& sizes, const EventMemory& memory,
                            ComparisonStatus* status, double* weight, double rtol)
      : ComparisonMargins<Engine>(engine, sizes, memory, status, weight, rtol),
        crossings_(engine.ranges()),
        guards_(memory.guards),
        flutters_(memory.flutters) {}

  ARMATURE_STEP SearchMemory kept() const { return {walk_.last.known, walk_.last.value, walk_.pace, fired_}; }
  ARMATURE_STEP void resume(const SearchMemory& kept) {
    walk_.last = {kept.knows_weight_margin, kept.weight_margin}, walk_.pace = kept.pace, fired_ = kept.fired;
  }

  // A weight in the middle is found first: those of the end have to stay.
  template <class Step>
  ARMATURE_STEP EventTime find_change(const Step& step) {
    Number middle;
    if (this->sliding()) middle = {true, weight_margin_on(step, 0.5 * (step.previous_t() + step.t()))};
    this->evaluate_margins(step.t(), step.x());
    return search(step, middle);
  }

  // The same where roots and weights of all comparisons at the end of the step are known, and while comparisons slide the weights in the
  // middle.
  struct Known {
    const double *middle_weights, *end_roots, *end_weights;
  };
  template <class Step>
  ARMATURE_STEP EventTime find_change(const Step& step, const Known& known) {
    this->take_roots(known.end_roots);
    Number middle;
    if (this->sliding()) middle = {true, this->weight_margin(known.middle_weights)};
    for (int k = 0; k < n_.comparisons; ++k)
      if (this->slides(k)) engine_.set_weight(k, known.end_weights[k]);
    this->take_weight_margins(known.end_weights);
    return search(step, middle);
  }

  // Where somebody else takes the steps: whether a comparison has to change at this state. If not, a step ends there.
  ARMATURE_STEP bool arrive(double t, const double* x) {
    look(t, x);
    fired_ = 0;
    for (int k = 0; k < n_.comparisons; ++k) {
      comparisons_[k].take_as_end();
      if (comparisons_[k].margin < comparisons_[fired_].margin) fired_ = k;
    }
    const bool changes = n_.comparisons > 0 && comparisons_[fired_].margin < 0;
    if (!changes) note_end();
    return changes;
  }
  ARMATURE_STEP void look(double t, const double* x) {
    this->evaluate_margins(t, x);
  }                                                                            // how far changes are from there
  ARMATURE_STEP double margin(int k) const { return comparisons_[k].margin; }  // negative: it has to change
  static constexpr int none = -1;
  ARMATURE_STEP int fired() const { return fired_; }  // the comparison that the last change was found for, or none
  // A comparison that has changed so often in a row although its root was nothing but round-off; -1: none.
  ARMATURE_STEP int fluttering(int changes) const {
    for (int k = 0; flutters_ && k < n_.comparisons; ++k)
      if (flutters_[k].changes >= changes) return k;
    return -1;
  }

 protected:
  ARMATURE_STEP void forget_weights() { walk_.last = {}; }
  ARMATURE_STEP void forget_pace() { walk_.pace = 0; }

  // Where a comparison changes. What slides stays at zero, and is no flutter.
  ARMATURE_STEP void count_flutter(int k) {
    if (!flutters_) return;
    const bool is_round_off = !this->slides(k) && flutters_[k].farthest <= events::flutter * comparisons_[k].noise;
    flutters_[k] = {0, is_round_off ? flutters_[k].changes + 1 : 0};
  }

  using ComparisonMargins<Engine>::engine_;
  using ComparisonMargins<Engine>::n_;
  using ComparisonMargins<Engine>::comparisons_;
  using ComparisonMargins<Engine>::status_;
  using ComparisonMargins<Engine>::weight_;

 private:
  using Number = MarginWalk::Number;

  template <class Step>
  ARMATURE_STEP EventTime search(const Step& step, Number middle_weight) {
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].take_as_end();
    EventTime change = find_zero(step);
    if (this->sliding())
      if (const EventTime slip = find_slip(step, change.found ? change.t : step.t(), middle_weight); slip.found)
        change = slip;
    if (change.found)
      note_way(step, change.t);
    else
      note_end();
    return change;
  }

  // How far roots go before a change in the same step, from one place.
  template <class Step>
  ARMATURE_STEP void note_way(const Step& step, double t) {
    if (!flutters_) return;
    evaluate_roots_on(step, 0.5 * (step.previous_t() + t));
    note_roots();
  }

  ARMATURE_STEP void note_roots() {
    for (int k = 0; flutters_ && k < n_.comparisons; ++k)
      flutters_[k].farthest = larger(flutters_[k].farthest, absolute(comparisons_[k].root));
  }

  // Nothing has to change where the step ends.
  ARMATURE_STEP void note_end() {
    for (int k = 0; k < n_.comparisons; ++k) {
      Comparison& comparison = comparisons_[k];
      comparison.root = comparison.end_root, comparison.margin = comparison.end_margin;
      comparison.scale = larger(comparison.scale, absolute(comparison.root));
      if (!this->slides(k) && comparison.margin > 2 * this->tolerance(k)) comparison.armed = true;
    }
    note_roots();
    if (this->sliding()) walk_.last = {true, this->weight_margin(engine_.weights())};
  }

  // --- zeros of roots --------------------------------------------------------------------------------------------------

  ARMATURE_STEP int put_guards() {
    int count = 0;
    for (int k = 0; k < n_.comparisons; ++k) {
      if (this->slides(k)) continue;
      const double slack = comparisons_[k].armed ? 0 : this->tolerance(k), n = weight_[k];
      if (this->is_floor(k)) {
        guards_[count++] = {k, 1, slack - n, comparisons_[k].noise};
        guards_[count++] = {k, -1, slack + n + 1, comparisons_[k].noise};
      } else {
        guards_[count++] = {k, status_[k] == ComparisonStatus::above ? 1.0 : -1.0, slack, comparisons_[k].noise};
      }
    }
    return count;
  }

  template <class Step>
  ARMATURE_STEP void evaluate_roots_on(const Step& step, double t) {
    this->evaluate_roots(t, step.at(t));
  }

  // What is interpolated may end a little beside the end of the step, which is put on its constraints: a change that only the end
  // itself shows is a change there.
  template <class Step>
  ARMATURE_STEP EventTime find_zero(const Step& step) {
    // roots that may become zero in the step, by their ranges
    const double t0 = step.previous_t(), t1 = step.t();
    const int all = put_guards();
    const bool has_ranges = engine_.begin_ranges(step);
    const bool clear = has_ranges && engine_.stays_clear(comparisons_, guards_, all);
    const int count = clear ? 0 : crossings_.keep_open(has_ranges, t0, t1, guards_, all);
    // the first part of the step at whose end one of them has
    const auto negative = [&](double t) {
      if (t != t1) evaluate_roots_on(step, t);
      for (int i = 0; i < count; ++i) {
        const Comparison& comparison = comparisons_[guards_[i].output];
        if ((t != t1 ? comparison.margin : comparison.end_margin) < 0) return true;
      }
      return false;
    };
    if (count > 0) {
      const StepPart part = crossings_.first(t0, t1, guards_, count, negative);
      if (part.found) return {true, first_zero(step, part)};
      // the step ends where nothing changes, and the next one goes on from there
      if (part.ended) return fired_ = none, EventTime{true, part.from};
    }
    for (int k = 0; k < n_.comparisons; ++k)
      if (!this->slides(k) && comparisons_[k].end_margin < 0) return fired_ = k, EventTime{true, t1};
    return {};
  }

  // Of the comparisons with a negative margin at the end of the part.
  template <class Step>
  ARMATURE_CALLED double first_zero(const Step& step, const StepPart& part) {
    // margins at both ends of the part
    evaluate_roots_on(step, part.from);
    for (int k = 0; k < n_.comparisons; ++k) comparisons_[k].from_margin = comparisons_[k].margin;
    if (part.to != step.t()) evaluate_roots_on(step, part.to);
    for (int k = 0; k < n_.comparisons; ++k)
      comparisons_[k].to_margin = part.to == step.t() ? comparisons_[k].end_margin : comparisons_[k].margin;
    // the zero of each, and the earliest of them
    double earliest = infinity;
    for (int k = 0; k < n_.comparisons; ++k) {
      const Comparison& comparison = comparisons_[k];
      if (this->slides(k) || !(comparison.to_margin < 0)) continue;
      const auto margin = [&](double t) { return evaluate_roots_on(step, t), comparison.margin; };
      double t = time_behind_zero(margin, {part.from, comparison.from_margin}, {part.to, comparison.to_margin});
      if (const double half = 0.5 * (step.previous_t() + t); arm_between(step, k, half, t))
        t = time_behind_zero(margin, {half, margin(half)}, {t, margin(t)});
      if (t < earliest) earliest = t, fired_ = k;
    }
    return earliest;
  }

  // A root that was clearly on its side halfway to its zero is armed, and its zero is where it is, without slack.
  template <class Step>
  ARMATURE_STEP bool arm_between(const Step& step, int k, double half, double t) {
    if (comparisons_[k].armed) return false;
    evaluate_roots_on(step, half);
    if (!(half < t && comparisons_[k].margin > 3 * this->tolerance(k))) return false;
    comparisons_[k].armed = true;
    return true;
  }

  // --- weights that leave their ranges ---------------------------------------------------------------------------------

  template <class Step>
  ARMATURE_STEP double weight_margin_on(const Step& step, double t) {
    return this->weight_margin(engine_.weights_at(t, step.at(t)));
  }

  // The weights of sliding modes are those of the change afterwards, or of the end of the step.
  template <class Step>
  ARMATURE_CALLED EventTime find_slip(const Step& step, double until, Number middle_weight) {
    const auto margin = [&](double t) { return weight_margin_on(step, t); };
    const EventTime slip = walk_.find(step.previous_t(), step.t(), until, middle_weight, margin);
    weight_margin_on(step, slip.found ? slip.t : until);
    if (!slip.found) return {};
    const double* weights = engine_.weights();
    for (int k = 0; k < n_.comparisons; ++k)
      if (this->slides(k) && (fired_ == none || !this->slides(fired_) ||
                              this->weight_margin(weights, k) < this->weight_margin(weights, fired_)))
        fired_ = k;
    return slip;
  }

  ZeroCrossings<typename Engine::Ranges> crossings_;
  Guard* guards_;
  Flutter* flutters_;
  MarginWalk walk_;  // along weights
  int fired_ = 0;
};

}  // namespace armature::step
