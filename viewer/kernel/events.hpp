// Changes of comparisons in a page: what step/comparison_changes.hpp asks of a run. Ranges of roots over parts of a step are not known there:
// parts are looked at by their ends.
#pragma once

#include "machine.hpp"
#include "step/comparison_changes.hpp"
#include "step/enclosure.hpp"

namespace armature::step {

struct PageRanges {
  void find(double, double) {}
  double unit() const { return 1; }
  Enclosure operator[](int) const { return {0, Range::everything(), Range::everything()}; }
};

class PageEvents {
 public:
  using Ranges = PageRanges;

  // Numbers that it needs.
  static long numbers(const PageTables& t) { return 3L * t.nx() + 2L * t[page_nw]; }
  PageEvents(const PageTables& tables, PageMachine& machine, double* numbers, Comparison* comparisons, Guard* guards,
             ComparisonStatus* status)
      : t_(tables),
        machine_(machine),
        xdot_(numbers),
        sizes_(xdot_ + t_.nx()),
        weight_(sizes_ + t_.nx()),
        status_(status),
        changes_(*this,
                 {t_[page_nw], t_[page_nq], t_[page_nv], t_.nx(), t_.root_entries, t_[page_root_entries], sizes_},
                 {comparisons, guards, weight_ + t_[page_nw], weight_ + t_[page_nw] + t_.nx()}, status, weight_,
                 t_[page_rtol]) {
    for (int k = 0; k < t_[page_nw]; ++k) {
      comparisons[k] = {};
      comparisons[k].kind = static_cast<ComparisonKind>(t_.kinds[k]);
      comparisons[k].breakaway = t_.breakaway[k];
      weight_[k] = t_.w[k];
      status_[k] = status_of(comparisons[k].kind, weight_[k]);
    }
    for (int i = 0; i < t_.nx(); ++i) sizes_[i] = 1;
    for (int i = 0; i < t_[page_nq]; ++i) sizes_[i] = 1 / t_.per_position[i];
    for (int i = 0; i < t_[page_nv]; ++i) sizes_[t_[page_nq] + i] = t_[page_rate] / t_.per_velocity[i];
    take_outcomes();
  }

  void begin(double t, const double* x) { changes_.begin(t, x); }
  template <class Step>
  EventTime find_change(const Step& step) {
    return changes_.find_change(step);
  }
  void change(double t, const double* x) { changes_.change(t, x); }
  template <class Change>
  void change_held(double t, const double* x, const Change& change) {
    changes_.change_held(t, x, [&] { change(), take_outcomes(); });
  }
  template <class Change>
  void jump_with(double t, const double* x, const Change& change) {
    changes_.jump_with(t, x, [&] { change(), take_outcomes(); });
  }
  const ComparisonStatus* status() const { return status_; }
  const double* outcomes() const { return weight_; }

  // Engine of ComparisonChanges.
  const double* roots(double t, const double* x) {
    model().set({{t}}, reinterpret_cast<const Row<1>*>(x));
    model().set_outcomes(machine_.weights());
    return model().roots()->lane;
  }
  const double* roots_with(const double* outcomes) {
    model().set_outcomes(outcomes);
    return model().roots()->lane;
  }
  const double* root_rates() { return model().root_rates(reinterpret_cast<const Row<1>*>(xdot_ + t_[page_nq]))->lane; }
  double largest_acceleration() const {
    Row<1> size;
    largest<1>(t_[page_nv], reinterpret_cast<const Row<1>*>(xdot_ + t_[page_nq]), size);
    return size[0];
  }
  bool derivative(double t, const double* x) {
    return machine_.derivative(true, {{t}}, reinterpret_cast<const Row<1>*>(x), reinterpret_cast<Row<1>*>(xdot_));
  }
  const double* weights() const { return machine_.weights(); }
  const double* weights_at(double t, const double* x) {
    if (machine_.slides()) derivative(t, x);
    return machine_.weights();
  }
  bool has_weights_at(double, const double*) const { return false; }
  bool passes_whatever_the_weights(double, const double*) const { return false; }
  void set_weight(int k, double weight) { machine_.set_weight(k, weight); }
  void take_outcomes() { machine_.hold_outcomes(status_, weight_); }
  void changed(int, double, ComparisonStatus) {}
  template <class Step>
  bool begin_ranges(const Step&) {
    return false;
  }
  PageRanges& ranges() { return ranges_; }
  bool stays_clear(const Comparison*, const Guard*, int) const { return false; }  // there are no ranges

 private:
  PageModel& model() { return machine_.model(); }

  const PageTables& t_;
  PageMachine& machine_;
  PageRanges ranges_;
  double *xdot_, *sizes_, *weight_;
  ComparisonStatus* status_;
  ComparisonChanges<PageEvents> changes_;
};

}  // namespace armature::step
