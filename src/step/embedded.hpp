// Error-controlled steps of an embedded Runge-Kutta pair. A step is
//
//     stages -> error estimate -> return to the manifold (state and estimate) -> error test -> accepted or tried again
//
// so that what the projection takes away does not count as an error. f is then evaluated at the projected end, where
// the next step begins, and dense output runs between projected ends (dense_output.hpp).
//
// Mostly the correction is so short that f at the projected end is as good as that at the end itself; then one evaluation
// gives all of it (Finish). A lane whose step is rejected tries again, with its own smaller step, while the others go on.
#pragma once

#include "step/one_step.hpp"
#include "step/step_control.hpp"
#include "step/tolerance.hpp"

namespace armature::step {

template <int W>
class Embedded : public OneStep<W> {
 public:
  struct Options {
    Tolerance<W> tolerance;
    double first_step = 0;  // 0: chosen
    double max_step = 0;    // 0: unlimited
  };

  ARMATURE_STEP static long memory(const Tableau& method, int n) { return OneStep<W>::memory(method, n) + 2L * n; }
  ARMATURE_STEP Embedded(const Tableau& method, int n, const Options& options, Row<W>* memory)
      : OneStep<W>(method, n, memory),
        options_(options),
        error_(memory + OneStep<W>::memory(method, n)),
        work_(error_ + n) {
    for (int k = 0; k < W; ++k) begin(k);
  }

  // A new run in a lane: nothing is left of the one before. A start keeps the step length.
  ARMATURE_STEP void begin(int k) {
    counts_[k] = {};
    control_[k] = StepControl(method_.tableau().error_order, options_.max_step);
    if (options_.first_step > 0) control_[k].set_length(options_.first_step);
  }
  ARMATURE_STEP void start(int k, double t, const double* x) {
    this->set(k, t, x);
    stepping_ = without(stepping_, lane_bit<W>(k));
    control_[k].forget_history();
  }

  // Goes on in a lane after a step that another object took: to x at t, with f there and its control.
  ARMATURE_STEP const StepControl& control(int k) const { return control_[k]; }
  ARMATURE_STEP void resume(int k, double t, const double* x, const double* f, const StepControl& control) {
    this->resume_at(k, t, x, f);
    stepping_ = without(stepping_, lane_bit<W>(k));
    control_[k] = control;
  }

  // Tries one step in each of some lanes, never beyond t_stop.
  template <class F>
  ARMATURE_STEP Tried<W> attempt(F& f, Mask<W> lanes, const Row<W>& t_stop) {
    Tried<W> tried;
    const Mask<W> going = begin_steps(f, lanes, t_stop);
    tried.failed = without(lanes, going);
    if (going) take_stages(f, going);
    tried.stepped = those<W>(going, [&](int k) { return status_[k] == StepStatus::ok; });
    for_each<W>(tried.stepped, [&](int k) { control_[k].accept(h_[k], error_norm_[k]); });
    for_each<W>(without(going, tried.stepped), [&](int k) { reject(k); });
    this->take(tried.stepped);
    has_end_ |= tried.stepped;
    stepping_ = without(stepping_, tried.stepped);
    return tried;
  }

  ARMATURE_STEP const Tolerance<W>& tolerance() const { return options_.tolerance; }

 private:
  using OneStep<W>::method_;
  using OneStep<W>::n_;
  using OneStep<W>::x_;
  using OneStep<W>::x1_;
  using OneStep<W>::t_;
  using OneStep<W>::t1_;
  using OneStep<W>::h_;
  using OneStep<W>::has_end_;
  using OneStep<W>::status_;
  using OneStep<W>::counts_;

  // Lanes with a step to try, its length chosen; the others cannot go on.
  template <class F>
  ARMATURE_STEP Mask<W> begin_steps(F& f, Mask<W> lanes, const Row<W>& t_stop) {
    // f at the start of each step
    Mask<W> going = lanes;
    if (const Mask<W> open = without(without(lanes, stepping_), has_end_); open) {
      const Mask<W> unknown = without(open, this->finish(f, open, t_, x_));
      this->set_status(unknown, StepStatus::not_finite);
      going = without(going, unknown);
    }
    // a new step takes it as its first stage; one that was rejected has it
    const Mask<W> fresh = without(going, stepping_);
    if (fresh) method_.shift(fresh);
    stepping_ |= fresh;
    has_end_ = without(has_end_, fresh);
    this->set_status(fresh, StepStatus::step_too_small);
    // lengths
    const Mask<W> unset = those<W>(going, [&](int k) { return !control_[k].has_length(); });
    if (unset) choose_starting_lengths(f, unset, t_stop);
    return those<W>(going, [&](int k) { return choose_length(k, t_stop[k]); });
  }

  ARMATURE_STEP bool choose_length(int k, double t_stop) {
    if (!(control_[k].length() >= smallest_step_length(t_[k], t_stop))) {
      control_[k].set_length(0);  // a new start chooses again
      return false;
    }
    h_[k] = control_[k].towards(t_stop - t_[k]);
    t1_[k] = h_[k] == t_stop - t_[k] ? t_stop : t_[k] + h_[k];
    return true;
  }

  // What becomes of steps: ok, or why they need to be smaller.
  template <class F>
  ARMATURE_STEP void take_stages(F& f, Mask<W> lanes) {
    this->set_status(lanes, StepStatus::not_finite);
    lanes = method_.advance(f, lanes, t_, h_, x_, x1_);
    this->count_evaluations(lanes, method_.tableau().stages - 1);
    const Finish<W> done = finish_and_return(f, lanes);
    const Mask<W> finished = done.any();
    if (finished) judge(f, done);
    if (const Mask<W> open = without(lanes, finished); open) end_steps(f, open);
  }

  template <class F>
  ARMATURE_STEP Finish<W> finish_and_return(F& f, Mask<W> lanes) {
    method_.estimate_without_end(0, h_, error_);
    if (method_.tableau().estimates > 1) weigh_estimates(lanes);
    copy<W>(all_lanes<W>, n_, x1_, work_);
    const Finish<W> done = method_.finish_and_return(f, lanes, t1_, h_, x1_, error_);
    this->count_evaluations(done.any());
    this->count_projections(done.any());
    return done;
  }

  // The error test; f is evaluated once more where the correction was long.
  template <class F>
  ARMATURE_STEP void judge(F& f, const Finish<W>& finished) {
    // accepted: the projected error is within the tolerance
    const Mask<W> lanes = finished.any();
    measure(lanes, error_);
    const Mask<W> accepted = those<W>(lanes, [&](int k) { return !(error_norm_[k] > 1); });
    this->set_status(without(lanes, accepted), StepStatus::step_too_small);
    this->set_status(accepted, StepStatus::ok);
    // f is known where the end was not moved, or only a little
    Mask<W> known = finished.all;
    if (const Mask<W> before = accepted & finished.all_before; before) {
      for (int i = 0; i < n_; ++i)
        for (int k = 0; k < W; ++k) work_[i][k] -= x1_[i][k];
      Row<W> correction;
      norm(work_, correction);
      known |= those<W>(before, [&](int k) { return correction[k] <= short_correction; });
    }
    // and evaluated in the other lanes
    if (const Mask<W> open = without(accepted, known); open)
      this->set_status(without(open, this->finish(f, open, t1_, x1_)), StepStatus::not_finite);
  }

  // Estimate, projection and derivative one after the other.
  template <class F>
  ARMATURE_STEP void end_steps(F& f, Mask<W> lanes) {
    lanes = estimate_errors(f, lanes);
    this->set_status(lanes, StepStatus::step_too_small);
    lanes = those<W>(lanes, [&](int k) { return error_norm_[k] <= hopeless_error(options_.tolerance.rtol); });
    if (lanes) lanes = return_to_manifold(f, lanes);
    this->set_status(lanes, StepStatus::ok);
  }

  template <class F>
  ARMATURE_STEP Mask<W> estimate_errors(F& f, Mask<W> lanes) {
    if (method_.tableau().error_needs_end()) lanes = this->finish(f, lanes, t1_, x1_);
    // only these lanes: errors of finished ones are corrected already
    method_.estimate(0, h_, work_);
    copy<W>(lanes, n_, work_, error_);
    if (method_.tableau().estimates > 1)
      weigh_estimates(lanes);
    else
      measure(lanes, error_);
    return lanes;
  }

  template <class F>
  ARMATURE_STEP Mask<W> return_to_manifold(F& f, Mask<W> lanes) {
    copy<W>(all_lanes<W>, n_, x1_, work_);
    this->count_projections(lanes);
    const Mask<W> back = f.project(lanes, t1_, x1_, error_);
    this->set_status(without(lanes, back), StepStatus::projection_failed);
    measure(back, error_);
    const Mask<W> accepted = those<W>(back, [&](int k) { return !(error_norm_[k] > 1); });
    const Mask<W> moved = accepted & different<W>(n_, work_, x1_);
    const Mask<W> open = method_.tableau().error_needs_end() ? moved : accepted;
    if (!open) return accepted;
    const Mask<W> finished = this->finish(f, open, t1_, x1_);
    this->set_status(without(open, finished), StepStatus::not_finite);
    return without(accepted, open) | finished;
  }

  // With two estimates e5 and e3, the error is e5 |e5| / sqrt(|e5|^2 + 0.01 |e3|^2): of order 8, and safe where one of
  // them vanishes by chance (Hairer, Norsett, Wanner, II.10).
  ARMATURE_STEP void weigh_estimates(Mask<W> lanes) {
    Row<W> second, ratio;
    measure(lanes, error_);
    method_.estimate(1, h_, work_);
    norm(work_, second);
    for (int k = 0; k < W; ++k) ratio[k] = 1;
    for_each<W>(lanes, [&](int k) {
      const double first = error_norm_[k];
      if (first == 0 || !finite(first)) return;
      ratio[k] = first / square_root(first * first + 0.01 * second[k] * second[k]);
      error_norm_[k] *= ratio[k];
    });
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < W; ++k) error_[i][k] *= ratio[k];
  }

  ARMATURE_STEP void reject(int k) {
    ++counts_[k].rejected;
    if (status_[k] == StepStatus::step_too_small && finite(error_norm_[k]))
      control_[k].reject(h_[k], error_norm_[k]);
    else
      control_[k].fail(h_[k]);
  }

  // A length at which an Euler step changes x by a hundredth of its size, and then one at which the method's leading term does
  // so by a hundredth of the tolerance: Hairer, Norsett, Wanner, II.4. Their second length counts in units of time; here it
  // counts in the time T in which x changes by its own size, 1/rtol tolerances, at the rates and changes of rates at the start:
  //
  //     T = min(1/(rtol |f|), 1/sqrt(rtol |f'|)),   h = T (rtol/100)^(1/order)
  //
  // so that it does not depend on the unit of time. f' comes from one Euler step.
  template <class F>
  ARMATURE_STEP void choose_starting_lengths(F& f, Mask<W> lanes, const Row<W>& t_stop) {
    // an Euler step of a hundredth of the state
    Row<W> size, rate, h0, t0, change;
    options_.tolerance.norm(n_, x_, x_, x_, size);
    options_.tolerance.norm(n_, method_.first(), x_, x_, rate);
    for (int k = 0; k < W; ++k) {
      const double span = t_stop[k] - t_[k];
      h0[k] = smaller(span, size[k] < 1e-5 || rate[k] * span < 1e-5 ? 1e-6 * span : 0.01 * size[k] / rate[k]);
      t0[k] = t_[k] + h0[k];
    }
    // f there gives second derivatives
    copy<W>(all_lanes<W>, n_, x_, work_);
    add<W>(n_, h0, method_.first(), work_);
    const Mask<W> tried = those<W>(lanes, [&](int k) { return finite(h0[k]); });
    this->count_evaluations(tried);
    const Mask<W> found = tried ? f.derivative(tried, t0, work_, error_) : tried;
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < W; ++k) error_[i][k] = (error_[i][k] - method_.first()[i][k]) / h0[k];
    options_.tolerance.norm(n_, error_, x_, x_, change);
    // the length at which the leading term is a hundredth of the tolerance
    const double rtol = options_.tolerance.rtol, share = power(0.01 * rtol, 1.0 / method_.tableau().error_order);
    for_each<W>(lanes, [&](int k) {
      const double span = t_stop[k] - t_[k], fastest = larger(rtol * rate[k], square_root(rtol * change[k]));
      const double h1 = share / larger(fastest, 1e-6 / span);
      control_[k].set_length(has(found, k) ? smaller(smaller(100 * h0[k], h1), span) : 1e-6 * span);
    });
  }

  ARMATURE_STEP void norm(const Row<W>* error, Row<W>& result) const {
    options_.tolerance.norm(n_, error, x_, x1_, result);
  }
  // A lane that was given up before keeps the norm it was given up with.
  ARMATURE_STEP void measure(Mask<W> lanes, const Row<W>* error) {
    Row<W> all;
    norm(error, all);
    for_each<W>(lanes, [&](int k) { error_norm_[k] = all[k]; });
  }

  Options options_;
  StepControl control_[W];
  Mask<W> stepping_ = 0;  // k_1 is set; a rejected step is tried again
  Row<W> error_norm_{};
  Row<W>*error_, *work_;
};

}  // namespace armature::step
