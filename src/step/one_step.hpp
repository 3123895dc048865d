// W integrations by a one-step method: where each is, where its last step began, and what it has counted. How steps are chosen
// is up to those that derive from it (embedded.hpp, fixed_step.hpp).
#pragma once

#include "step/runge_kutta.hpp"
#include "step/status.hpp"

namespace armature::step {

struct Counts {
  long evaluations = 0, rejected = 0, projections = 0;
};

// Lanes in neither set try again next time.
template <int W>
struct Tried {
  Mask<W> stepped = 0, failed = 0;
};

template <int W>
class OneStep {
 public:
  ARMATURE_STEP static long memory(const Tableau& method, int n) { return RungeKutta<W>::memory(method, n) + 3L * n; }
  ARMATURE_STEP OneStep(const Tableau& method, int n, Row<W>* memory)
      : method_(method, n, memory),
        n_(n),
        x_(memory + RungeKutta<W>::memory(method, n)),
        previous_x_(x_ + n),
        x1_(previous_x_ + n) {}

  ARMATURE_STEP RungeKutta<W>& method() { return method_; }
  ARMATURE_STEP const RungeKutta<W>& method() const { return method_; }
  ARMATURE_STEP int size() const { return n_; }
  ARMATURE_STEP const Row<W>& t() const { return t_; }
  ARMATURE_STEP const Row<W>& previous_t() const { return previous_t_; }
  ARMATURE_STEP const Row<W>* x() const { return x_; }
  ARMATURE_STEP const Row<W>* previous_x() const { return previous_x_; }
  ARMATURE_STEP double last_length(int k) const { return h_[k]; }      // of the last step, as it was tried
  ARMATURE_STEP double end_tried(int k) const { return t1_[k]; }       // where it was to end
  ARMATURE_STEP Mask<W> has_end() const { return has_end_; }           // f(t, x) is known
  ARMATURE_STEP StepStatus status(int k) const { return status_[k]; }  // of the last step that was tried
  ARMATURE_STEP Counts& counts(int k) { return counts_[k]; }
  ARMATURE_STEP const Counts& counts(int k) const { return counts_[k]; }

 protected:
  ARMATURE_STEP void set(int k, double t, const double* x) {
    t_[k] = previous_t_[k] = t;
    for (int e = 0; e < n_; ++e) x_[e][k] = previous_x_[e][k] = x[e];
    has_end_ = without(has_end_, lane_bit<W>(k));
  }
  ARMATURE_STEP void resume_at(int k, double t, const double* x, const double* f) {
    set(k, t, x);
    for (int e = 0; e < n_; ++e) method_.last()[e][k] = f[e];
    has_end_ |= lane_bit<W>(k);
  }
  ARMATURE_STEP void take(Mask<W> lanes) {  // the ends of steps
    if constexpr (W == 1) {
      Row<W>* const free = previous_x_;
      if (lanes) previous_x_ = x_, x_ = x1_, x1_ = free;
    } else {
      copy<W>(lanes, n_, x_, previous_x_);
      copy<W>(lanes, n_, x1_, x_);
    }
    for_each<W>(lanes, [&](int k) { previous_t_[k] = t_[k], t_[k] = t1_[k]; });
  }
  ARMATURE_STEP void set_status(Mask<W> lanes, StepStatus status) {
    for_each<W>(lanes, [&](int k) { status_[k] = status; });
  }
  ARMATURE_STEP void count_evaluations(Mask<W> lanes, int number = 1) {
    for_each<W>(lanes, [&](int k) { counts_[k].evaluations += number; });
  }
  ARMATURE_STEP void count_projections(Mask<W> lanes) {
    for_each<W>(lanes, [&](int k) { ++counts_[k].projections; });
  }
  template <class F>
  ARMATURE_STEP Mask<W> finish(F& f, Mask<W> lanes, const Row<W>& t, const Row<W>* x) {
    count_evaluations(lanes);
    return method_.finish(f, lanes, t, x);
  }

  RungeKutta<W> method_;
  int n_;
  Row<W>*x_, *previous_x_, *x1_;
  Row<W> t_{}, previous_t_{}, t1_{}, h_{};
  Mask<W> has_end_ = 0;
  StepStatus status_[W] = {};
  Counts counts_[W];
};

}  // namespace armature::step
