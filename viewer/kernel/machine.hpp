// One state of a page's model: f and the return to the constraints, by the step kernel of every run (step/motion.hpp). Nearly singular
// poses are handled as dynamics/full_engine.cpp does it as long as the constraints are independent; whatever asks for a decision on their
// rank ends the motion.
#pragma once

#include "model.hpp"
#include "sliding.hpp"
#include "step/compiled_contacts.hpp"
#include "step/motion.hpp"
#include "step/passed_pose.hpp"

namespace armature::step {

class PageMachine {
 public:
  using Moving = Motion<1, PageModel>;

  static long memory(const PageTables& tables) {
    return PageModel::memory(tables) + Moving::memory(sizes(tables)) + Projection<1, PageModel>::memory(sizes(tables)) +
           tables.nx() + tables[page_nw] + 2L * tables[page_contacts];
  }
  PageMachine(const PageTables& tables, Row<1>* memory)
      : t_(tables),
        model_(tables, memory),
        motion_(model_, sizes(tables), memory + PageModel::memory(tables)),
        projection_(model_, sizes(tables), memory + PageModel::memory(tables) + Moving::memory(sizes(tables))),
        nearest_(memory + PageModel::memory(tables) + Moving::memory(sizes(tables)) +
                 Projection<1, PageModel>::memory(sizes(tables))),
        weights_(nearest_[tables.nx()].lane),
        contact_forces_(weights_ + tables[page_nw]) {
    set_traits();
    projection_.set_rate(0, t_[page_rate]);
    if (t_.projects()) projection_.set_sizes(0, sizes(0, 0, nullptr));
  }

  PageModel& model() { return model_; }
  int nx() const { return t_.nx(); }
  int nd() const { return t_[page_nd]; }
  int clock_count() const { return t_[page_clocks]; }
  int clock_of(int i) const { return t_.clock_of[i]; }
  int lookups() const { return t_[page_lookups]; }
  bool has_stops() const { return t_.has(Kernel::next_stop); }
  bool follows() const { return t_[page_follows]; }
  // The outcomes that are held from now on.
  void hold_outcomes(const ComparisonStatus* status, const double* w) {
    sliding_.clear();
    for (int k = 0; k < t_[page_nw]; ++k) {
      weights_[k] = w[k];
      if (status[k] == ComparisonStatus::sliding) sliding_.add(k);
    }
    model_.set_outcomes(w);
    set_traits();
  }
  bool slides() const { return sliding_.count() > 0; }
  const double* weights() const { return weights_; }  // those of what slides as found last
  void set_weight(int k, double weight) {
    weights_[k] = weight;
    model_.set_outcomes(weights_);
  }
  PageStatus left() const { return left_; }  // goes_on: it has not
  void leave_to_the_program() { leave(page_leaves_contacts); }
  // Of rigid contacts, as Dynamics has them.
  ContactForcesMemory forces() { return {contact_forces_, &forces_time_}; }

  // F of the steps.
  bool derivative(bool lanes, const Row<1>& t, const Row<1>* x, Row<1>* xdot) {
    const bool found = motion_.derivative(*this, lanes, t, x, xdot);
    if (found) note_forces(t[0]);
    return found;
  }
  bool project(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* error) {
    return motion_.project(*this, lanes, t, x, error);
  }
  Finish<1> finish(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* xdot, Row<1>* error, const Row<1>& weight) {
    const Finish<1> done = motion_.finish(*this, lanes, t, x, xdot, error, weight);
    if (done.any()) note_forces(t[0]);
    return done;
  }

  // Engine of Motion.
  bool derivative(int, double t, const double* x, double* xdot) {
    model_.set({{t}}, rows(x));
    if (sliding_.count() > 0) return slide(xdot);
    double sine;
    const KernelOutputs<1>& view = model_.acceleration();
    if (!is_solved(view, sine) || sine < unreadable) return leave(page_singular);
    if (t_.controlled() && t_.projects() && sine < Regularity::near) {
      for (int i = 0; i < t_.nx(); ++i) nearest_[i][0] = x[i];
      t_.configuration().normalize<1>(true, nearest_);
      const bool found = projection_.project(true, {{t}}, nearest_, nullptr);
      model_.set({{t}}, found ? nearest_ : rows(x));
      model_.acceleration();
      if (!is_solved(view, sine)) return leave(page_singular);
    }
    return take(view, xdot);
  }
  bool project(int, double, double*, double*) { return leave(page_off); }
  MachineSizes sizes(int, double, const double*) { return {t_.per_row, t_.per_position, t_.per_velocity}; }
  void take_weight(int, int comparison, double weight) { set_weight(comparison, weight); }
  void hold(int) {}

  // Whether the acceleration is that of the traced solve; and the smallest sine between constraints.
  bool is_solved(const KernelOutputs<1>& view, double& sine) const {
    Row<1> ratio;
    const bool positive = pivot_ratios<1>(t_[page_nv], t_[page_rows], view, ratio);
    sine = square_root(ratio[0]);
    return positive && ratio[0] >= Regularity::squared(Regularity::singular) && finite<1>(t_[page_nv], view.vdot);
  }

 private:
  bool take(const KernelOutputs<1>& view, double* xdot) const {
    double* to = xdot;
    for (int i = 0; i < t_[page_nq]; ++i) *to++ = view.qdot[i][0];
    for (int i = 0; i < t_[page_nv]; ++i) *to++ = view.vdot[i][0];
    for (int i = 0; i < t_[page_nz]; ++i) *to++ = view.zdot[i][0];
    return finite<1>(t_.nx(), rows(xdot));
  }
  // With the weights of what slides, at the state that is set. Where one comparison slides, this is what one kernel cannot do.
  bool slide(double* xdot) {
    if (!sliding_.fits()) return leave(page_several_stick);
    const KernelOutputs<1>* view = nullptr;
    const auto roots = [&] {
      model_.set_outcomes(weights_);
      return model_.roots()->lane;
    };
    const auto rates = [&]() -> const double* {
      model_.set_outcomes(weights_);
      view = &model_.acceleration();
      double sine;
      return is_solved(*view, sine) ? model_.root_rates(view->vdot)->lane : nullptr;
    };
    if (!sliding_.solve(weights_, t_[page_rate], t_.kinds, t_.breakaway, roots, rates))
      return leave(page_several_stick);
    return take(*view, xdot);
  }

  // They stand behind the rates.
  void note_forces(double t) {
    if (t_[page_contacts] > 0 && motion_.plain(0) && motion_.was_regular(0))
      forces().note(t_[page_contacts], t, motion_.rates().zdot->lane + t_[page_nz]);
  }

  static const Row<1>* rows(const double* x) { return reinterpret_cast<const Row<1>*>(x); }
  static Moving::Sizes sizes(const PageTables& t) {
    Moving::Sizes sizes;
    sizes.nq = t[page_nq], sizes.nv = t[page_nv], sizes.nz = t[page_nz], sizes.rows = t[page_rows];
    sizes.work = t[page_work], sizes.counts_work = t[page_work] >= 0;
    sizes.configuration = t.configuration();
    return sizes;
  }
  // What is special: how many comparisons slide, and which, where it is one.
  void set_traits() {
    LaneTraits traits;
    traits.plain = sliding_.count() == 0, traits.sliding = sliding_.count() == 1 ? sliding_.first() : -1;
    traits.pulled = t_[page_pulled], traits.projects = t_.projects();
    traits.rate = t_[page_rate];
    traits.finishes = traits.plain && traits.projects && !traits.pulled && t_.controlled();
    motion_.set(0, traits);
  }
  bool leave(PageStatus why) {
    if (left_ == page_goes_on) left_ = why;
    return false;
  }

  const PageTables& t_;
  PageModel model_;
  Moving motion_;
  Projection<1, PageModel> projection_;
  Row<1>* nearest_;
  double *weights_, *contact_forces_, forces_time_ = -infinity;
  PageSliding sliding_;
  PageStatus left_ = page_goes_on;
};

}  // namespace armature::step
