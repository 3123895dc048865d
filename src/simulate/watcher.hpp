// Who sees a run go by, step by step: the rows of trajectory.csv, or formulas over the whole motion.
#pragma once

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "simulate/outcome.hpp"
#include "system/state.hpp"

namespace armature {

class StepWatcher {
 public:
  virtual ~StepWatcher() = default;

  // At the start, modes settled. The dynamics outlives the run.
  virtual void begin(Dynamics& dynamics, const State& start) = 0;

  // The motion from where the last call ended to `until`, inside the integrator's last step and without a change of modes
  // on the way; those of the step are set in the dynamics. False: enough is known, the run may end.
  virtual bool step(const Integrator& integrator, double until) = 0;

  virtual void report(RunStatistics&) const {}  // at the end
};

}  // namespace armature
