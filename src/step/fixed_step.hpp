// Steps of one length on the grid t0 + i step: explicit Runge-Kutta methods and semi-implicit Euler. A stop between two
// grid points is met by a shorter step, and the grid goes on where it was. Dense output is the cubic Hermite polynomial.
#pragma once

#include "step/one_step.hpp"
#include "step/scalar.hpp"

namespace armature::step {

struct StepGrid {
  double start = 0, step = 1e-3;
  long long index = 0;  // of the last grid point passed
  // The next grid point, or t_stop where it comes first. A stop within round-off of a grid point is that grid point.
  ARMATURE_STEP double next(double t_stop, bool& on_grid) const {
    const double grid = start + static_cast<double>(index + 1) * step;
    const double round_off = 16 * epsilon * larger(absolute(start), absolute(grid));
    on_grid = grid <= t_stop + round_off;
    return grid < t_stop - round_off ? grid : t_stop;
  }
};

template <int W>
class FixedStep : public OneStep<W> {
 public:
  struct Options {
    double step = 1e-3;
    bool dense = true;  // f at the end of every step: dense output will be asked for
    // Semi-implicit Euler for x = (q, rest), q of as many entries; 0: the method of the tableau. With f = (qdot, rate):
    //   rest_{n+1} = rest_n + h rate(t_n, q_n, rest_n),  q_{n+1} = q_n + h qdot(t_{n+1}, q_n, rest_{n+1}).
    int positions = 0;
  };

  ARMATURE_STEP static long memory(const Tableau& method, int n) { return OneStep<W>::memory(method, n) + n; }
  ARMATURE_STEP FixedStep(const Tableau& method, int n, const Options& options, Row<W>* memory)
      : OneStep<W>(method, n, memory), options_(options), rate_(memory + OneStep<W>::memory(method, n)) {}

  ARMATURE_STEP void begin(int k) { counts_[k] = {}; }
  ARMATURE_STEP void start(int k, double t, const double* x) {
    this->set(k, t, x);
    grid_[k] = {t, options_.step, 0};
  }

  // Goes on in a lane after a step that another object took: to x at t, with f there and its grid.
  ARMATURE_STEP const StepGrid& grid(int k) const { return grid_[k]; }
  ARMATURE_STEP void resume(int k, double t, const double* x, const double* f, const StepGrid& grid) {
    this->resume_at(k, t, x, f);
    grid_[k] = grid;
  }

  template <class F>
  ARMATURE_STEP Tried<W> attempt(F& f, Mask<W> lanes, const Row<W>& t_stop) {
    // to the next grid point, or to the stop
    Mask<W> on_grid = 0;
    for_each<W>(lanes, [&](int k) {
      bool on = false;
      t1_[k] = grid_[k].next(t_stop[k], on);
      h_[k] = t1_[k] - t_[k];
      if (on) on_grid |= lane_bit<W>(k);
    });
    // stages, and back onto the constraints
    this->set_status(lanes, StepStatus::not_finite);
    Mask<W> going = begin_steps(f, lanes);
    if (going) going = advance(f, going);
    this->count_projections(going);
    const Mask<W> back = going ? f.project(going, t1_, x1_, nullptr) : going;
    this->set_status(without(going, back), StepStatus::projection_failed);
    this->set_status(back, StepStatus::ok);
    // the step is taken
    this->take(back);
    for_each<W>(back & on_grid, [&](int k) { ++grid_[k].index; });
    if (options_.dense && back) has_end_ |= this->finish(f, back, t_, x_);
    return {back, without(lanes, back)};
  }

 private:
  using OneStep<W>::method_;
  using OneStep<W>::n_;
  using OneStep<W>::x_;
  using OneStep<W>::x1_;
  using OneStep<W>::t_;
  using OneStep<W>::t1_;
  using OneStep<W>::h_;
  using OneStep<W>::has_end_;
  using OneStep<W>::counts_;

  // f where the steps begin; the lanes in which it is known.
  template <class F>
  ARMATURE_STEP Mask<W> begin_steps(F& f, Mask<W> lanes) {
    if (const Mask<W> open = without(lanes, has_end_); open) has_end_ |= this->finish(f, open, t_, x_);
    const Mask<W> going = lanes & has_end_;
    method_.shift(going);
    has_end_ = without(has_end_, lanes);
    return going;
  }

  template <class F>
  ARMATURE_STEP Mask<W> advance(F& f, Mask<W> lanes) {
    if (options_.positions > 0) return advance_semi_implicitly(f, lanes);
    this->count_evaluations(lanes, method_.tableau().stages - 1);
    return method_.advance(f, lanes, t_, h_, x_, x1_);
  }

  template <class F>
  ARMATURE_STEP Mask<W> advance_semi_implicitly(F& f, Mask<W> lanes) {
    const int positions = options_.positions;
    copy<W>(all_lanes<W>, n_, x_, x1_);
    add<W>(n_ - positions, h_, method_.first() + positions, x1_ + positions);
    this->count_evaluations(lanes);
    lanes = f.derivative(lanes, t1_, x1_, rate_);
    add<W>(positions, h_, rate_, x1_);
    return lanes;
  }

  Options options_;
  StepGrid grid_[W];
  Row<W>* rate_;
};

}  // namespace armature::step
