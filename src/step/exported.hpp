// The step of an exported model (inspect/export_c.hpp): its kernels are C functions, its state is a struct of C, and all memory is
// on the stack. What is rare for an engine ends a step here. Events are not located: every acceleration takes comparisons as they are there.
//
// Plant, which the exporter writes, derives from NoKernels:
//   State                                    t, x[nx], d[nd]; samples[]: ticks taken, one per clock; from, length, steps: its grid
//   nq, nv, nz, nx, nd, rows                 sizes
//   inputs, outputs                          of the kernel that has most
//   plain[], quaternions[], plain_count, quaternion_count     as in Configuration
//   projects, positions                      stabilization; FixedStep::Options::positions
//   method(), table()                        the tableau, and the same as a constant
//   per_row[], per_position[], per_velocity[], rate           MachineSizes; LaneTraits::rate
//   clocks[], clock_count, clock_of[], follows     clock_of: of every discrete value its clock, or follows_steps (follows: there is
//                                                  one), or never_changes
//   set(t, x, d, p, in), outcomes(in), rates(in, xdot)        inputs; outcomes of comparisons; 0: xdot is known
//   acceleration(in, out) and other kernels                   KernelOutputs of each
#pragma once

#include "step/plant_step.hpp"
#include "step/sample_clock.hpp"
#include "step/tableaus.hpp"

namespace armature::step {

struct Clock {
  double period, offset;  // s: it ticks at offset + k period
};

// Model of PlantStep.
template <class Plant>
class ExportedModel {
 public:
  ARMATURE_STEP ExportedModel(const typename Plant::State& s, const double* p) { Plant::set(s.t, s.x, s.d, p, in_); }
  ARMATURE_STEP void set(const Row<1>& t, const Row<1>* x) {
    in_[0] = t[0];
    for (int i = 0; i < Plant::nx; ++i) in_[1 + i] = x[i][0];
  }
  ARMATURE_STEP double* inputs() { return in_; }  // t, x, …
  ARMATURE_STEP KernelOutputs<1> acceleration() {
    Plant::outcomes(in_);
    return Plant::acceleration(in_, out_);
  }
  ARMATURE_STEP KernelOutputs<1> correct_motion() { return Plant::correct_motion(in_, out_); }
  ARMATURE_STEP KernelOutputs<1> correct_position() { return Plant::correct_position(in_, out_); }
  ARMATURE_STEP KernelOutputs<1> correct_velocity() { return Plant::correct_velocity(in_, out_); }
  ARMATURE_STEP const Row<1>* discrete() {
    Plant::outcomes(in_);
    return Plant::discrete(in_, out_).discrete;
  }
  ARMATURE_STEP bool rates(double* xdot) {
    Plant::outcomes(in_);
    return Plant::rates(in_, xdot) == 0;
  }

  // For what an exported model does not have: error estimates and a ledger of energy.
  ARMATURE_STEP KernelOutputs<1> correct_velocity_and_errors(const Row<1>*, const Row<1>*) { return {}; }
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
    const StepStatus status = go(next, p, h, t_stop);
    if (status == StepStatus::ok) state = next;
    return status == StepStatus::ok ? 0 : status == StepStatus::projection_failed ? 2 : 1;
  }

  // The same; after a failure the state is not to be used.
  ARMATURE_STEP static StepStatus go(State& state, const double* p, double h, double t_stop = infinity) {
    if (!finite(state.t + h)) return StepStatus::not_finite;
    return ExportedStep(state, p).advance(h, t_stop);
  }

  // Values that follow steps, at a state that no step led to.
  ARMATURE_STEP static void follow(State& state, const double* p) { ExportedStep(state, p).follow_step(); }

 private:
  ARMATURE_STEP ExportedStep(State& state, const double* p) : s_(state), p_(p) {}

  // A sample within the step is met by a shorter step, as StepGrid has it; the grid begins anew where one is taken at its end.
  ARMATURE_STEP StepStatus advance(double h, double t_stop) {
    take_due();
    StepGrid grid = grid_of(h);
    for (bool there = false; !there && s_.t < t_stop;) {
      const StepStatus status = go_to(grid.next(smaller(next_sample(Clocks{s_}, Plant::clock_count), t_stop), there));
      if (status != StepStatus::ok) return status;
      if (there) ++grid.index;
      follow_step();
      if (take_due() && there) grid = {s_.t, h, 0};
    }
    s_.from = grid.start, s_.length = grid.step, s_.steps = grid.index;
    return StepStatus::ok;
  }

  ARMATURE_STEP StepGrid grid_of(double h) const {
    const bool goes_on = s_.length == h && s_.from + static_cast<double>(s_.steps) * s_.length == s_.t;
    return goes_on ? StepGrid{s_.from, s_.length, s_.steps} : StepGrid{s_.t, h, 0};
  }

  ARMATURE_STEP StepStatus go_to(double end) { return PlantStep<Plant, ExportedModel<Plant>>::take(s_, p_, end); }

  ARMATURE_STEP void follow_step() {
    if (!Plant::follows) return;
    ExportedModel<Plant> model(s_, p_);
    take_values(follows_steps, model.discrete());
  }
  ARMATURE_STEP void take_values(int clock, const Row<1>* values) {
    for (int i = 0; i < Plant::nd; ++i)
      if (Plant::clock_of[i] == clock) s_.d[i] = values[i][0];
  }

  // Those of the plant, with the ticks of the state.
  struct Clocks {
    const State& s;
    ARMATURE_STEP SampleClock operator[](int k) const {
      return {Plant::clocks[k].period, Plant::clocks[k].offset, s.samples[k]};
    }
  };
  // What is due, all from the values before it; whether there was any. A state may be put after several ticks.
  ARMATURE_STEP bool take_due() {
    const Clocks clocks{s_};
    if (!sample_due(clocks, Plant::clock_count, s_.t)) return false;
    ExportedModel<Plant> model(s_, p_);
    const Row<1>* values = model.discrete();
    const auto take = [&](int k) {
      take_values(k, values);
      SampleClock next = clocks[k];
      next.tick_beyond(s_.t);
      s_.samples[k] = next.count;
    };
    return take_samples(
        clocks, Plant::clock_count, s_.t, [] {}, take);
  }

  State& s_;
  const double* p_;
};

}  // namespace armature::step
