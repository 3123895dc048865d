// A mass on a spring with dry friction, by the step and the loop around it alone: x'' = -x - 0.3 sign(x'). From x = 1 it turns at
// x = -0.4 after half a period, and sticks at x = -0.2 after a whole one.
#pragma once

#include "step/comparison_changes.hpp"
#include "step/compiled_motion.hpp"
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

  // The machine of the loop: nothing is held, and there are no tables.
  ARMATURE_STEP static int nx() { return 2; }
  ARMATURE_STEP static int nd() { return 0; }
  ARMATURE_STEP static int clock_count() { return 0; }
  ARMATURE_STEP static int clock_of(int) { return never_changes; }
  ARMATURE_STEP static int lookups() { return 0; }
  ARMATURE_STEP static bool has_stops() { return false; }
  ARMATURE_STEP static bool follows() { return false; }
  ARMATURE_STEP FrictionOscillator& model() { return *this; }
  ARMATURE_STEP void set(const Row<1>&, const Row<1>*) {}
  ARMATURE_STEP void hold(const double*) {}
  ARMATURE_STEP const Row<1>* discrete() { return nullptr; }
  ARMATURE_STEP const double* next_stop() { return nullptr; }
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

struct OscillatorEnd {
  double turned = 0, stuck = 0, place = 0;  // times, and where it sticks
  int changes = 0;
  bool sticks = false;
};

// Its motion: a host of the loop. What it watches are the times at which something changes.
struct OscillatorRoom {
  Row<1> steps[64], columns[32], inside[2];
  double t = 0, x[2] = {1, 0}, numbers[3];
  Row<1> atol[2] = {{{1e-10}}, {{1e-10}}};
  Comparison comparisons[1];
  Guard guards[2];
  StopMemory stops;
};
class OscillatorMotion : private OscillatorRoom,
                         public CompiledMotion<OscillatorMotion, FrictionOscillator, Embedded<1>> {
 public:
  ARMATURE_STEP OscillatorMotion(FrictionOscillator& f, double end)
      : CompiledMotion(f, {&t, OscillatorRoom::x, nullptr, nullptr, &stops}, dormand_prince_54(),
                       Embedded<1>::Options{{1e-10, atol}},
                       {OscillatorRoom::steps, columns, OscillatorRoom::inside, nullptr}),
        f_(f),
        end_time_(end),
        events_(f, {1, 1, 1, 2, &velocity_, 1}, {comparisons, guards, numbers, numbers + 2}, &f.status, &f.weight,
                1e-10) {
    events_.begin(t, OscillatorRoom::x);
    restart();
  }

  ARMATURE_STEP OscillatorEnd go() {
    while (t < end_time_ && !advance<1>(*this, true).failed) {
    }
    seen_.place = OscillatorRoom::x[0], seen_.changes = f_.changes, seen_.sticks = events_.sliding();
    return seen_;
  }

  ARMATURE_STEP bool show_all(bool) { return !hides_hump(); }
  ARMATURE_STEP bool watch(bool) { return true; }
  ARMATURE_STEP double end() const { return end_time_; }
  ARMATURE_STEP FrictionOscillator& looking() { return f_; }
  ARMATURE_STEP const Tolerance<1>* tolerance() const { return nullptr; }
  ARMATURE_STEP void look_in_vain() {}
  template <class Step>
  ARMATURE_STEP void find(const Step& step, Change& change) {
    change.take(ChangeKind::comparison, events_.find_change(step));
  }
  ARMATURE_STEP void change_laws(const Change&) {
    events_.change(t, OscillatorRoom::x);
    (events_.sliding() ? seen_.stuck : seen_.turned) = t;
  }
  template <class Jump>
  ARMATURE_STEP void change_held(const Jump& jump) {
    events_.change_held(t, OscillatorRoom::x, jump);
  }
  ARMATURE_STEP void restart() { steps_.start(0, t, OscillatorRoom::x); }

 private:
  using OscillatorRoom::t;
  FrictionOscillator& f_;
  double end_time_;
  int velocity_ = 1;
  ComparisonChanges<FrictionOscillator> events_;
  OscillatorEnd seen_;
};

ARMATURE_STEP OscillatorEnd run_friction_oscillator(double t_end) {
  FrictionOscillator f;
  return OscillatorMotion(f, t_end).go();
}

}  // namespace armature::step
