// Changes of the comparisons of a motion on a card: what step/comparison_changes.hpp asks of a run. As events/comparison_engine.hpp, as far
// as it is regular.
#pragma once

#include "study/study_model.hpp"
#include "study/study_ranges.hpp"

namespace armature::step {

template <class Plant>
class StudyEvents {
 public:
  using Ranges = StudyRanges<typename Plant::RootRanges, typename Plant::Functions>;

  ARMATURE_STEP StudyEvents(StudyState<Plant>& s, StudyDynamics<Plant>& dynamics, const double* common)
      : s_(s),
        dynamics_(dynamics),
        changes_(*this,
                 {Plant::nw, Plant::nq, Plant::nv, Plant::nx, Plant::root_entries, Plant::root_entry_count, sizes_},
                 {s.events.comparisons, guards_, x_, outcomes_}, s.events.status, s.events.w, common[0]) {
    for (int i = 0; i < Plant::nx; ++i) sizes_[i] = 1;
    for (int i = 0; i < Plant::nq; ++i) sizes_[i] = 1 / s.per_position[i];
    for (int i = 0; i < Plant::nv; ++i) sizes_[Plant::nq + i] = common[4] * (1 / s.per_velocity[i]);
    changes_.resume(s.events.search);
  }

  // Outcomes at the start.
  ARMATURE_CALLED void begin() {
    for (int k = 0; k < Plant::nw; ++k) {
      s_.events.comparisons[k] = {};
      s_.events.comparisons[k].kind = static_cast<ComparisonKind>(Plant::kinds[k]);
      s_.events.comparisons[k].breakaway = Plant::breakaway[k];
    }
    changes_.resume({});
    changes_.begin(s_.t, s_.x);
    keep();
  }
  template <class Step>
  ARMATURE_CALLED EventTime find_change(const Step& step) {
    return changes_.find_change(step);
  }
  // At the state, where a change was found.
  ARMATURE_CALLED void change() {
    changes_.change(s_.t, s_.x);
    keep();
  }
  // What is held changes at the state, by jump().
  template <class Jump>
  ARMATURE_STEP void change_held(const Jump& jump) {
    changes_.change_held(s_.t, s_.x, [&] { jump(), take_outcomes(); });
    keep();
  }
  // What contacts change at the state, by jump().
  template <class Jump>
  ARMATURE_STEP void jump_with(const Jump& jump) {
    changes_.jump_with(s_.t, s_.x, [&] { jump(), take_outcomes(); });
    keep();
  }
  // After every step.
  ARMATURE_STEP void keep() {
    s_.events.search = changes_.kept();
    take_outcomes();
  }
  ARMATURE_STEP void keep_search() { s_.events.search = changes_.kept(); }

  // ---- Engine of ComparisonChanges

  ARMATURE_CALLED const double* roots(double t, const double* x) {
    model().set(t, x);
    return model().roots()->lane;
  }
  ARMATURE_STEP const double* roots_with(const double* outcomes) {
    model().set_outcomes(outcomes);
    return model().roots()->lane;
  }
  ARMATURE_STEP const double* root_rates() { return model().root_rates(xdot_ + Plant::nq)->lane; }
  ARMATURE_STEP double largest_acceleration() const {
    Row<1> size;
    largest<1>(Plant::nv, xdot_ + Plant::nq, size);
    return size[0];
  }
  ARMATURE_STEP bool derivative(double t, const double* x) {
    return dynamics_.derivative(true, {{t}}, reinterpret_cast<const Row<1>*>(x), xdot_);
  }
  ARMATURE_STEP const double* weights() { return model().weights()->lane; }
  // Far outside of their range the full engine may find that nothing holds the root.
  ARMATURE_CALLED const double* weights_at(double t, const double* x) {
    constexpr double far_outside = 1e6;
    if (!changes_.sliding()) return weights();
    derivative(t, x);
    for (int k = 0; k < Plant::nw; ++k)
      if (!(absolute(weights()[k]) <= far_outside)) dynamics_.leave();
    return weights();
  }
  // Where several comparisons would slide, the full engine finds their weights. None is needed where the rate of a root depends on none
  // of them, and is not zero: it passes. Otherwise the motion leaves.
  ARMATURE_CALLED bool passes_whatever_the_weights(double t, const double* x) {
    int sliding = 0;
    for (int k = 0; k < Plant::nw; ++k) sliding += s_.events.status[k] == ComparisonStatus::sliding;
    if (sliding < 2) return false;
    double rates[Plant::nw];
    bool depends[Plant::nw] = {};
    bool found = dynamics_.derivative_as_set(t, x, xdot_);
    for (int k = 0; k < Plant::nw; ++k) rates[k] = root_rates()[k];
    for (int k = 0; found && k < Plant::nw; ++k) {
      if (s_.events.status[k] != ComparisonStatus::sliding) continue;
      const double held = weights()[k];
      model().weights()[k][0] = 1;
      found = dynamics_.derivative_as_set(t, x, xdot_);
      const double* others = root_rates();
      for (int i = 0; i < Plant::nw; ++i) depends[i] |= others[i] != rates[i];
      model().weights()[k][0] = held;
    }
    for (int k = 0; found && k < Plant::nw; ++k)
      if (s_.events.comparisons[k].chosen && !depends[k] && !events::is_held(s_.events.comparisons[k], rates[k]))
        return true;
    dynamics_.leave();
    return true;
  }
  ARMATURE_STEP bool has_weights_at(double, const double*) const { return false; }
  ARMATURE_STEP void take_outcomes() { dynamics_.take_held(); }
  ARMATURE_STEP void changed(int, double, ComparisonStatus) {}
  template <class Step>
  ARMATURE_STEP bool begin_ranges(const Step& step) {
    if (Plant::RootRanges::entry_count > 0 && !step.make_dense()) {
      dynamics_.leave();
      return false;
    }
    ranges_.begin(step.dense(), step.ends(), model().inputs());
    return true;
  }
  ARMATURE_STEP Ranges& ranges() { return ranges_; }
  ARMATURE_STEP bool stays_clear(const Comparison*, const Guard*, int) const {
    return false;
  }  // compiled ranges cost little

 private:
  ARMATURE_STEP StudyModel<Plant>& model() { return dynamics_.model(); }

  StudyState<Plant>& s_;
  StudyDynamics<Plant>& dynamics_;
  Ranges ranges_;
  double sizes_[Plant::nx + 1], x_[Plant::nx + 1], outcomes_[Plant::nw];
  Row<1> xdot_[Plant::nx + 1];
  Guard guards_[2 * Plant::nw];
  ComparisonChanges<StudyEvents> changes_;
};

}  // namespace armature::step
