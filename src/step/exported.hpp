// The step of an exported model (inspect/export_c.hpp): its kernels are C functions, its state is a struct of C, and all memory is
// on the stack. What is rare for an engine ends a step here. Events are not located: every acceleration takes comparisons as they are there.
//
// Plant, which the exporter writes, derives from NoKernels:
//   State                                    t, x[nx], d[nd]; samples[]: ticks taken, one per clock; from, length, steps: its grid
//   nq, nv, nz, nx, nd, rows                 sizes
//   inputs, outputs                          of the kernel that has most
//   motion_memory, steps_memory              rows that Motion and FixedStep need
//   plain[], quaternions[], plain_count, quaternion_count     as in Configuration
//   projects, pulled, positions, method()    stabilization; FixedStep::Options::positions; the tableau
//   per_row[], per_position[], per_velocity[], rate           MachineSizes; LaneTraits::rate
//   clocks[], clock_count, clock_of[], follows     clock_of: of every discrete value its clock, or follows_steps (follows: there is
//                                                  one), or never_changes
//   set(t, x, d, p, in), outcomes(in), rates(in, xdot)        inputs; outcomes of comparisons; 0: xdot is known
//   acceleration(in, out) and other kernels                   Outputs of each
#pragma once

#include "step/fixed_step.hpp"
#include "step/motion.hpp"
#include "step/sample_clock.hpp"
#include "step/tableaus.hpp"

namespace armature::step {

// Of a kernel, those that it has.
struct Outputs {
  const Row<1>*vdot = nullptr, *lambda = nullptr, *qdot = nullptr, *zdot = nullptr, *dq = nullptr, *dv = nullptr;
  const Row<1>*d_position_error = nullptr, *d_velocity_error = nullptr, *work = nullptr, *phi = nullptr;
  const Row<1>*phidot = nullptr, *mass_pivots = nullptr, *pivots = nullptr, *scales = nullptr, *discrete = nullptr;
};

// Kernels that a model without projection or held values does not have; nobody calls them then.
struct NoKernels {
  ARMATURE_STEP static Outputs correct_motion(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static Outputs correct_position(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static Outputs correct_velocity(const double*, Row<1>*) { return {}; }
  ARMATURE_STEP static Outputs discrete(const double*, Row<1>*) { return {}; }
};

struct Clock {
  double period, offset;  // s: it ticks at offset + k period
};
inline constexpr int follows_steps = -1, never_changes = -2;

// Model of Motion.
template <class Plant>
class ExportedModel {
 public:
  ARMATURE_STEP ExportedModel(const typename Plant::State& s, const double* p) { Plant::set(s.t, s.x, s.d, p, in_); }
  ARMATURE_STEP void set(const Row<1>& t, const Row<1>* x) {
    in_[0] = t[0];
    for (int i = 0; i < Plant::nx; ++i) in_[1 + i] = x[i][0];
  }
  ARMATURE_STEP void hold(const double* d) {
    for (int i = 0; i < Plant::nd; ++i) in_[1 + Plant::nx + i] = d[i];
  }
  ARMATURE_STEP Outputs acceleration() {
    Plant::outcomes(in_);
    return Plant::acceleration(in_, out_);
  }
  ARMATURE_STEP Outputs acceleration_baumgarte() { return acceleration(); }  // a model has one of them
  ARMATURE_STEP Outputs correct_motion() { return Plant::correct_motion(in_, out_); }
  ARMATURE_STEP Outputs correct_position() { return Plant::correct_position(in_, out_); }
  ARMATURE_STEP Outputs correct_velocity() { return Plant::correct_velocity(in_, out_); }
  ARMATURE_STEP const Row<1>* discrete() {
    Plant::outcomes(in_);
    return Plant::discrete(in_, out_).discrete;
  }
  ARMATURE_STEP bool rates(double* xdot) {
    Plant::outcomes(in_);
    return Plant::rates(in_, xdot) == 0;
  }

  // For what an exported model does not have: error estimates, comparisons that slide, and a ledger of energy.
  ARMATURE_STEP Outputs correct_velocity_and_errors(const Row<1>*, const Row<1>*) { return {}; }
  ARMATURE_STEP Row<1>* weights() { return nullptr; }
  ARMATURE_STEP const Row<1>* roots() { return nullptr; }
  ARMATURE_STEP const Row<1>* root_rates(const Row<1>*) { return nullptr; }
  ARMATURE_STEP const Row<1>& energy() { return out_[0]; }

 private:
  double in_[Plant::inputs];
  Row<1> out_[Plant::outputs];
};

template <class Plant>
class ExportedStep {
 public:
  using State = typename Plant::State;

  // One step of length h, or up to the time t_stop where that comes first: 0, or 1 where f is not known, 2 where the state does not
  // return to its constraints; then the state is left as it was.
  ARMATURE_STEP static int take(State& state, const double* p, double h, double t_stop = infinity) {
    State next = state;
    if (!finite(state.t + h)) return 1;
    const StepStatus status = ExportedStep(next, p).advance(h, t_stop);
    if (status == StepStatus::ok) state = next;
    return status == StepStatus::ok ? 0 : status == StepStatus::projection_failed ? 2 : 1;
  }

  // Values that follow steps, at a state that no step led to.
  ARMATURE_STEP static void follow(State& state, const double* p) { ExportedStep(state, p).follow_step(); }

  // F of FixedStep.
  ARMATURE_STEP bool derivative(bool lanes, const Row<1>& t, const Row<1>* x, Row<1>* xdot) {
    return motion_.derivative(*this, lanes, t, x, xdot);
  }
  ARMATURE_STEP bool project(bool lanes, const Row<1>& t, Row<1>* x, Row<1>* error) {
    return motion_.project(*this, lanes, t, x, error);
  }

  // Engine of Motion.
  ARMATURE_STEP bool derivative(int, double t, const double* x, double* xdot) {
    model_.set({{t}}, reinterpret_cast<const Row<1>*>(x));
    return model_.rates(xdot);
  }
  ARMATURE_STEP bool project(int, double, double*, double*) { return false; }
  ARMATURE_STEP MachineSizes sizes(int, double, const double*) {
    return {Plant::per_row, Plant::per_position, Plant::per_velocity};
  }
  ARMATURE_STEP void take_weight(int, int, double) {}
  ARMATURE_STEP void hold(int) {}

 private:
  using Moving = Motion<1, ExportedModel<Plant>>;

  ARMATURE_STEP ExportedStep(State& state, const double* p)
      : s_(state), model_(state, p), motion_(model_, sizes(), memory_) {
    LaneTraits traits;
    traits.plain = true, traits.pulled = Plant::pulled, traits.projects = Plant::projects;
    traits.rate = Plant::rate;
    motion_.set(0, traits);
  }
  ARMATURE_STEP static typename Moving::Sizes sizes() {
    typename Moving::Sizes sizes;
    sizes.nq = Plant::nq, sizes.nv = Plant::nv, sizes.nz = Plant::nz, sizes.rows = Plant::rows;
    sizes.configuration = {Plant::nq,    Plant::nv,         Plant::plain_count, Plant::quaternion_count,
                           Plant::plain, Plant::quaternions};
    return sizes;
  }

  // A sample within the step is met by a shorter step, as StepGrid has it; the grid begins anew where one is taken at its end.
  ARMATURE_STEP StepStatus advance(double h, double t_stop) {
    take_samples();
    StepGrid grid = grid_of(h);
    for (bool there = false; !there && s_.t < t_stop;) {
      const StepStatus status = go_to(grid.next(smaller(next_sample(), t_stop), there));
      if (status != StepStatus::ok) return status;
      if (there) ++grid.index;
      follow_step();
      if (take_samples() && there) grid = {s_.t, h, 0};
    }
    s_.from = grid.start, s_.length = grid.step, s_.steps = grid.index;
    return StepStatus::ok;
  }

  ARMATURE_STEP StepGrid grid_of(double h) const {
    const bool goes_on = s_.length == h && s_.from + static_cast<double>(s_.steps) * s_.length == s_.t;
    return goes_on ? StepGrid{s_.from, s_.length, s_.steps} : StepGrid{s_.t, h, 0};
  }

  ARMATURE_STEP StepStatus go_to(double end) {
    FixedStep<1> steps(Plant::method(), Plant::nx, {end - s_.t, false, Plant::positions},
                       memory_ + Plant::motion_memory);
    steps.start(0, s_.t, s_.x);
    if (steps.attempt(*this, true, {{end}}).failed) return steps.status(0);
    s_.t = end;
    for (int i = 0; i < Plant::nx; ++i) s_.x[i] = steps.x()[i][0];
    return StepStatus::ok;
  }

  ARMATURE_STEP const Row<1>* next_values() {
    model_.set({{s_.t}}, reinterpret_cast<const Row<1>*>(s_.x));
    return model_.discrete();
  }
  ARMATURE_STEP void take_values(int clock, const Row<1>* values) {
    for (int i = 0; i < Plant::nd; ++i)
      if (Plant::clock_of[i] == clock) s_.d[i] = values[i][0];
  }
  ARMATURE_STEP void follow_step() {
    if (!Plant::follows) return;
    take_values(follows_steps, next_values());
    model_.hold(s_.d);
  }

  ARMATURE_STEP SampleClock clock(int k) const {
    return {Plant::clocks[k].period, Plant::clocks[k].offset, s_.samples[k]};
  }
  ARMATURE_STEP double next_sample() const {
    double time = infinity;
    for (int k = 0; k < Plant::clock_count; ++k) time = smaller(time, clock(k).time());
    return time;
  }
  // What is due, all from the values before it; whether there was any.
  ARMATURE_STEP bool take_samples() {
    const Row<1>* values = nullptr;
    for (int k = 0; k < Plant::clock_count; ++k) {
      if (!clock(k).due(s_.t)) continue;
      if (!values) values = next_values();
      take_values(k, values);
      SampleClock next = clock(k);
      next.tick_beyond(s_.t);
      s_.samples[k] = next.count;
    }
    if (values) model_.hold(s_.d);
    return values;
  }

  State& s_;
  ExportedModel<Plant> model_;
  Row<1> memory_[Plant::motion_memory + Plant::steps_memory];
  Moving motion_;
};

}  // namespace armature::step
