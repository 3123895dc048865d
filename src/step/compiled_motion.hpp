// The motion of a machine of which there is nothing but its compiled kernels: in a page, in a thread of a GPU. These are the phases of the
// loop (advance.hpp) as far as the machine is concerned; what is watched, and what becomes of a motion that leaves, is the host's. As the
// motion of a run (run/run_motion.hpp), without the full engine.
//
// Machine: F of the steps (one_step.hpp), with sizes compiled in or in tables:
//   nx(), nd(), clock_count(), lookups(), has_stops(), follows()     follows: some value follows steps
//   clock_of(i)          of a discrete value: its clock, follows_steps or never_changes (sample_clock.hpp)
//   model()              set(t, x), hold(d), take_outcomes(), discrete(), next_stop()
//
// Host, which derives from it, is a host of advance() with
//   end()                            of the motion
//   looking()                        the machine that dense output is made with; tolerance(): by which it is judged, or null
//   look_in_vain()                   dense output that is looked into is not sound
//   find(step, change)               the first change of a comparison, a contact
//   change_laws(change)              at the state, which is at that change
//   change_held(change)              at the state, by change(): what is constant between steps
//   restart()                        steps begin anew at the state
#pragma once

#include "step/advance.hpp"
#include "step/called.hpp"
#include "step/change.hpp"
#include "step/dense_output.hpp"
#include "step/narrow_forces.hpp"
#include "step/sample_clock.hpp"
#include "step/table_stops.hpp"

namespace armature::step {

// What a motion keeps from step to step, and room for a step.
struct MotionState {
  double *t, *x, *d;
  SampleClock* clocks;
  StopMemory* stops;
};
struct MotionMemory {
  Row<1>*steps, *dense, *inside;  // inside: a state in the step
  double* lookups;
};

template <class Host, class Machine, class Steps>
class CompiledMotion {
 public:
  // ---- phases of the loop

  ARMATURE_CALLED Tried<1> attempt(bool) {
    made_ = false, change_ = {};
    return steps_.attempt(machine_, true, {{stop()}});
  }
  ARMATURE_STEP bool find_changes(bool) { return host().find(LastStep{*this}, change_), true; }
  // To its end, or to a change before it.
  ARMATURE_CALLED bool move(bool) {
    const double until = this->until();
    const Row<1>* there = rows(at(until));
    if (until < steps_.t()[0]) machine_.project(true, {{until}}, inside_, nullptr);
    for (int i = 0; i < machine_.nx(); ++i) state_.x[i] = there[i][0];
    *state_.t = until;
    return true;
  }
  ARMATURE_STEP bool follow(bool) {
    if (!machine_.follows()) return true;
    machine_.model().set({{*state_.t}}, rows(state_.x));
    take_values(follows_steps, machine_.model().discrete());
    machine_.model().hold(state_.d);
    return true;
  }
  ARMATURE_CALLED bool settle(bool) {
    if (change_.any()) {
      host().change_laws(change_);
      host().restart();
    }
    if (machine_.clock_count() == 0 || !(*state_.t < host().end())) return true;
    if (!sample_due(state_.clocks, machine_.clock_count(), *state_.t)) return true;
    host().change_held([&] { take_samples(); });
    host().restart();
    return true;
  }

  // ---- the step, and inside it

  ARMATURE_STEP double t() const { return steps_.t()[0]; }
  ARMATURE_STEP const double* x() const { return steps_.x()->lane; }
  ARMATURE_STEP Ends<1> ends() const { return {steps_.previous_t(), steps_.t(), steps_.previous_x(), steps_.x()}; }
  ARMATURE_STEP const DenseOutput<1>& dense() const { return dense_; }
  // False: it is not sound.
  ARMATURE_CALLED bool make_dense() {
    if (!made_) sound_ = dense_.make(host().looking(), steps_.method(), true, ends(), host().tolerance());
    made_ = true;
    return sound_;
  }
  ARMATURE_STEP bool is_unsound() const { return made_ && !sound_; }  // and somebody has looked into the step
  ARMATURE_CALLED const double* at(double time) {
    if (time == t()) return x();
    if (!make_dense()) host().look_in_vain();
    dense_.evaluate(ends(), {{time}}, inside_);
    return inside_->lane;
  }

 protected:
  template <class Options>
  ARMATURE_STEP CompiledMotion(Machine& machine, const MotionState& state, const Tableau& method,
                               const Options& options, const MotionMemory& memory)
      : machine_(machine),
        state_(state),
        steps_(method, machine.nx(), options, memory.steps),
        dense_(method, machine.nx(), memory.dense),
        inside_(memory.inside),
        tables_(machine.lookups(), memory.lookups, *state.stops),
        force_(*state.stops) {}

  ARMATURE_STEP double until() const { return change_.before(steps_.t()[0]); }
  // A hump of a table: the step has to be taken again, to a nearer stop.
  ARMATURE_CALLED bool hides_hump() {
    if (machine_.lookups() == 0) return false;
    return tables_.hide(*state_.t, t(), [&](double time) { return next_stop(time, at(time)); });
  }
  // A force at this moment of the step: likewise.
  ARMATURE_STEP bool hides_force(double found) { return force_.take(found, *state_.t, t()); }
  // All that are due, from the values before them.
  ARMATURE_STEP void take_samples() {
    const Row<1>* values = nullptr;
    const auto look = [&] {
      machine_.model().set({{*state_.t}}, rows(state_.x));
      machine_.model().take_outcomes();
      values = machine_.model().discrete();
    };
    const auto take = [&](int clock) {
      take_values(clock, values);
      state_.clocks[clock].tick();
    };
    if (step::take_samples(state_.clocks, machine_.clock_count(), *state_.t, look, take))
      machine_.model().hold(state_.d);
  }

  ARMATURE_STEP static const Row<1>* rows(const double* x) { return reinterpret_cast<const Row<1>*>(x); }
  ARMATURE_STEP static Row<1>* rows(double* x) { return reinterpret_cast<Row<1>*>(x); }

  Machine& machine_;
  MotionState state_;
  Steps steps_;
  Change change_;  // in the last step

 private:
  // As searches look at it.
  struct LastStep {
    CompiledMotion& motion;
    ARMATURE_STEP double previous_t() const { return motion.steps_.previous_t()[0]; }
    ARMATURE_STEP double t() const { return motion.t(); }
    ARMATURE_STEP const double* x() const { return motion.x(); }
    ARMATURE_STEP const double* at(double time) const { return motion.at(time); }
    ARMATURE_STEP bool make_dense() const { return motion.make_dense(); }
    ARMATURE_STEP const DenseOutput<1>& dense() const { return motion.dense(); }
    ARMATURE_STEP Ends<1> ends() const { return motion.ends(); }
  };

  ARMATURE_STEP Host& host() { return static_cast<Host&>(*this); }

  ARMATURE_STEP double stop() {
    const double sample = next_sample(state_.clocks, machine_.clock_count());
    const double stop = smaller(smaller(host().end(), sample), force_.stop(*state_.t));
    if (!machine_.has_stops()) return stop;
    return smaller(stop, tables_.stop(*state_.t, [&](double time) { return next_stop(time, state_.x); }));
  }
  ARMATURE_STEP const double* next_stop(double time, const double* x) {
    machine_.model().set({{time}}, rows(x));
    return machine_.model().next_stop();
  }
  ARMATURE_STEP void take_values(int clock, const Row<1>* values) {
    for (int i = 0; i < machine_.nd(); ++i)
      if (machine_.clock_of(i) == clock) state_.d[i] = values[i][0];
  }

  DenseOutput<1> dense_;
  Row<1>* inside_;
  TableStops tables_;
  ForceStop force_;
  bool made_ = false, sound_ = false;  // dense output of the step
};

}  // namespace armature::step
