// The stages of one explicit Runge-Kutta step of W states, each from its own (t, x0) over its own h, and their combinations;
// see tableau.hpp for the equations. Whoever drives it decides on step lengths and on what becomes of a result.
//
// F is the right-hand side:
//   Mask<W> derivative(lanes, t, x, xdot)        xdot = f(t, x); returns the lanes in which it could be evaluated
//   Mask<W> project(lanes, t, x, error)          returns x to its manifold, takes out of the error estimate (null: none) what
//                                                lies off it; returns the lanes that came there
//   Finish<W> finish(lanes, t, x, xdot, error, weight)   both at the end of a step, by one evaluation
// What is asked for some lanes leaves the others as they are.
#pragma once

#include "step/arithmetic.hpp"
#include "step/tableau.hpp"

namespace armature::step {

// What one evaluation at the end of a step gave: f and the corrected state with its error estimate. Lanes in none of the sets
// need derivative() and project().
template <int W>
struct Finish {
  Mask<W> all = 0;                 // f is that of the corrected state
  Mask<W> all_before = 0;          // f is that of the state before its correction
  Mask<W> all_but_derivative = 0;  // f is not to be used
  ARMATURE_STEP Mask<W> any() const { return all | all_before | all_but_derivative; }
};

template <int W>
class RungeKutta {
 public:
  ARMATURE_STEP static long memory(const Tableau& method, int n) {
    return static_cast<long>(n) * (method.all_stages() + 1);
  }
  // memory: as many rows, kept by reference like the tableau.
  ARMATURE_STEP RungeKutta(const Tableau& method, int n, Row<W>* memory)
      : method_(&method), n_(n), K_(memory), stage_x_(memory + static_cast<long>(n) * method.all_stages()) {}

  ARMATURE_STEP const Tableau& tableau() const { return *method_; }
  ARMATURE_STEP int size() const { return n_; }
  ARMATURE_STEP Row<W>* stage(int i) { return K_ + static_cast<long>(i) * n_; }
  ARMATURE_STEP const Row<W>* stage(int i) const { return K_ + static_cast<long>(i) * n_; }
  ARMATURE_STEP const Row<W>* first() const { return K_; }         // k_1
  ARMATURE_STEP Row<W>* last() { return stage(method_->stages); }  // k_{s+1}
  ARMATURE_STEP const Row<W>* last() const { return stage(method_->stages); }
  ARMATURE_STEP const Row<W>* last_stage() const { return stage(method_->stages - 1); }  // k_s
  ARMATURE_STEP Row<W>* stage_x() { return stage_x_; }  // where k_s is f, until dense output is made

  // A step is finish (at its beginning), shift, advance, and finish at its end, which is the beginning of the next one. Each
  // returns the lanes in which f could be evaluated.
  template <class F>
  ARMATURE_STEP Mask<W> finish(F& f, Mask<W> lanes, const Row<W>& t1, const Row<W>* x1) {
    return f.derivative(lanes, t1, x1, last());
  }
  ARMATURE_STEP void shift(Mask<W> lanes) { copy<W>(lanes, n_, last(), K_); }
  template <class F>
  ARMATURE_STEP Mask<W> advance(F& f, Mask<W> lanes, const Row<W>& t, const Row<W>& h, const Row<W>* x0, Row<W>* x1) {
    for (int i = 1; i < method_->stages && lanes; ++i)
      lanes = evaluate(f, lanes, t, h, method_->c[i], method_->A[i], i, x0, i);
    combine<W>(n_, method_->b, method_->stages, h, K_, x0, x1);
    return lanes;
  }

  // h sum_i E_ri k_i, and without k_{s+1}
  ARMATURE_STEP void estimate(int row, const Row<W>& h, Row<W>* error) const {
    combine<W>(n_, method_->E[row], method_->stages + 1, h, K_, nullptr, error);
  }
  ARMATURE_STEP void estimate_without_end(int row, const Row<W>& h, Row<W>* error) const {
    combine<W>(n_, method_->E[row], method_->stages, h, K_, nullptr, error);
  }

  // The end of a step, with the state returned to its manifold and the first estimate completed.
  template <class F>
  ARMATURE_STEP Finish<W> finish_and_return(F& f, Mask<W> lanes, const Row<W>& t1, const Row<W>& h, Row<W>* x1,
                                            Row<W>* error) {
    Row<W> weight;
    for (int k = 0; k < W; ++k) weight[k] = h[k] * method_->E[0][method_->stages];
    return f.finish(lanes, t1, x1, last(), error, weight);
  }

  // One stage: its state is left in stage_x.
  template <class F>
  ARMATURE_STEP Mask<W> evaluate(F& f, Mask<W> lanes, const Row<W>& t, const Row<W>& h, double c, const double* weights,
                                 int count, const Row<W>* x0, int i) {
    combine<W>(n_, weights, count, h, K_, x0, stage_x_);
    Row<W> at;
    for (int k = 0; k < W; ++k) at[k] = t[k] + c * h[k];
    return f.derivative(lanes, at, stage_x_, stage(i));
  }

 private:
  const Tableau* method_;
  int n_;
  Row<W>*K_, *stage_x_;  // n rows a stage
};

}  // namespace armature::step
