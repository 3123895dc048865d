// A mass on a spring with dry friction, by the headers of the step alone: x'' = -x - 0.3 sign(x'). From x = 1 it turns at
// x = -0.4 after half a period, and sticks at x = -0.2 after a whole one.
#pragma once

#include "step/comparison_changes.hpp"
#include "step/dense_output.hpp"
#include "step/embedded.hpp"
#include "step/tableaus.hpp"

namespace armature::step {

struct NoRanges {
  struct Range {
    double low, high;
  };
  struct Enclosure {
    double middle;
    Range value, rate;
  };
  ARMATURE_STEP void find(double, double) {}
  ARMATURE_STEP double unit() const { return 1; }
  ARMATURE_STEP Enclosure operator[](int) const { return {0, {-infinity, infinity}, {-infinity, infinity}}; }
};

class FrictionOscillator {
 public:
  // The right-hand side of the step.
  ARMATURE_STEP bool derivative(bool lanes, const Row<1>&, const Row<1>* x, Row<1>* xdot) {
    slide(x[0][0], x[1][0]);
    xdot[0][0] = x[1][0], xdot[1][0] = vdot_ = acceleration(x[0][0]);
    return lanes;
  }
  ARMATURE_STEP bool project(bool lanes, const Row<1>&, Row<1>*, Row<1>*) { return lanes; }
  ARMATURE_STEP Finish<1> finish(bool, const Row<1>&, Row<1>*, Row<1>*, Row<1>*, const Row<1>&) { return {}; }

  // The engine of its events.
  using Ranges = NoRanges;
  ARMATURE_STEP const double* roots(double, const double* x) { return root_ = x[1], &root_; }
  ARMATURE_STEP const double* roots_with(const double*) { return &root_; }
  ARMATURE_STEP const double* root_rates() { return &vdot_; }
  ARMATURE_STEP double largest_acceleration() const { return absolute(vdot_); }
  ARMATURE_STEP bool derivative(double, const double* x) {
    slide(x[0], x[1]);
    vdot_ = acceleration(x[0]);
    return true;
  }
  ARMATURE_STEP const double* weights() const { return &w_; }
  ARMATURE_STEP const double* weights_at(double, const double* x) { return slide(x[0], x[1]), &w_; }
  ARMATURE_STEP bool has_weights_at(double, const double*) const { return false; }
  ARMATURE_STEP bool passes_whatever_the_weights(double, const double*) const { return false; }
  ARMATURE_STEP void set_weight(int, double weight) { w_ = weight; }
  ARMATURE_STEP void take_outcomes() { w_ = weight; }
  ARMATURE_STEP void changed(int, double, ComparisonStatus) { ++changes; }
  template <class Step>
  ARMATURE_STEP bool begin_ranges(const Step&) {
    return false;
  }
  ARMATURE_STEP NoRanges& ranges() { return ranges_; }
  ARMATURE_STEP bool stays_clear(const Comparison*, const Guard*, int) const { return false; }

  ComparisonStatus status = ComparisonStatus::below;
  double weight = 0;
  int changes = 0;

 private:
  ARMATURE_STEP double acceleration(double x) const { return -x - 0.3 * (2 * w_ - 1); }
  ARMATURE_STEP void slide(double x, double v) {
    if (status == ComparisonStatus::sliding) w_ = 0.5 - (x - 10 * v) / 0.6;
  }
  NoRanges ranges_;
  double w_ = 0, root_ = 0, vdot_ = 0;
};

// Its last step.
struct OscillatorStep {
  const Embedded<1>& steps;
  const DenseOutput<1>& dense;
  Row<1>* between;
  ARMATURE_STEP double previous_t() const { return steps.previous_t()[0]; }
  ARMATURE_STEP double t() const { return steps.t()[0]; }
  ARMATURE_STEP const double* x() const { return steps.x()->lane; }
  ARMATURE_STEP const double* at(double t) const {
    dense.evaluate({steps.previous_t(), steps.t(), steps.previous_x(), steps.x()}, Row<1>{{t}}, between);
    return between->lane;
  }
};

struct OscillatorEnd {
  double turned = 0, stuck = 0, place = 0;  // times, and where it sticks
  int changes = 0;
  bool sticks = false;
};

ARMATURE_STEP OscillatorEnd run_friction_oscillator(double t_end) {
  const Tableau& method = dormand_prince_54();
  Row<1> memory[64], columns[32], between[2];
  Comparison comparisons[1];
  Guard guards[2];
  double numbers[3];
  const Row<1> atol[] = {{{1e-10}}, {{1e-10}}};
  double x[] = {1, 0}, t = 0;
  FrictionOscillator f;
  Embedded<1> steps(method, 2, Embedded<1>::Options{{1e-10, atol}}, memory);
  DenseOutput<1> dense(method, 2, columns);
  const int velocity = 1;
  ComparisonChanges<FrictionOscillator> events(
      f, {1, 1, 1, 2, &velocity, 1}, {comparisons, guards, numbers, numbers + 2}, &f.status, &f.weight, 1e-10);
  events.begin(t, x);
  steps.start(0, t, x);
  OscillatorEnd end;
  while (t < t_end) {
    const Tried<1> tried = steps.attempt(f, true, Row<1>{{t_end}});
    if (tried.failed) break;
    if (!tried.stepped) continue;
    dense.make(f, steps.method(), true, {steps.previous_t(), steps.t(), steps.previous_x(), steps.x()}, nullptr);
    const OscillatorStep step{steps, dense, between};
    const EventTime change = events.find_change(step);
    t = change.found ? change.t : step.t();
    if (!change.found) continue;
    for (int i = 0; i < 2; ++i) x[i] = step.at(t)[i];
    events.change(t, x);
    steps.start(0, t, x);
    (events.sliding() ? end.stuck : end.turned) = t;
  }
  end.place = steps.x()[0][0], end.changes = f.changes, end.sticks = events.sliding();
  return end;
}

}  // namespace armature::step
