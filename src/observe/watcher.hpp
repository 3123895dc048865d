// Who sees a run go by, step by step: the rows of trajectory.csv, or formulas over the whole motion.
#pragma once

#include "dynamics/dynamics.hpp"
#include "events/contact_change.hpp"
#include "events/samples.hpp"
#include "integrate/integrator.hpp"
#include "observe/outcome.hpp"
#include "system/state.hpp"

namespace armature::internal {

class StepWatcher {
 public:
  virtual ~StepWatcher() = default;

  // At the start, outcomes settled. All are the run's own: the state moves on with it.
  virtual void begin(Dynamics& dynamics, const Integrator& integrator, const State& state) = 0;

  virtual void receive(double work) { (void)work; }  // of the host: an input has changed the energy stored, J
  // The state is at an event, and its outcomes change next; at a sample, which is taken next. restarted() follows.
  virtual void changing() {}
  virtual void sampling(const Samples& samples) { (void)samples; }
  virtual void contacts_changed(const ContactImpulses& impulses) {
    (void)impulses;
  }                            // what the event was, after changing()
  virtual void restarted() {}  // the laws of the motion have changed: another outcome, a sample

  // The motion from where the last call ended to `until`, inside the integrator's last step and without a change of outcomes
  // on the way; those of the step are set in the dynamics. False: enough is known, the run may end.
  virtual bool step(const Integrator& integrator, double until) = 0;

  virtual void report(Outcome&) {}  // at the end, when all that is seen must be worked through

  // Whether changes of outcomes, warnings and advice are wanted in the Outcome.
  virtual bool wants_words() const { return true; }
};

// One that first looks at a program at some times of each piece of the motion: lanes do that for many runs at once.
class SamplingWatcher : public StepWatcher {
 public:
  static constexpr int samples = 5;
  virtual void sample_times(double until, double* t) const = 0;
  virtual int first_sample() const { return 0; }  // nothing is asked of those before it
  // step() where the outputs of the program are known: those of the first time, then of the next …
  virtual bool step_sampled(const Integrator& integrator, double until, const double* outputs) = 0;
};

}  // namespace armature::internal
