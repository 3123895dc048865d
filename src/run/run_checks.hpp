// What a run measures of itself from step to step, and what is to be said of it: steps that are too short for its end, changes that never
// end, stability that limits the steps, beams that err; at the end, whether its numbers deserve its status.
#pragma once

#include <string>

#include "prepare/beam_errors.hpp"
#include "run/crawl.hpp"
#include "run/stiff_steps.hpp"
#include "run/warn.hpp"
#include "step/chatter.hpp"

namespace armature::internal {

class RunChecks {
 public:
  RunChecks(const Prepared& prepared, Dynamics& dynamics, const Integrator& integrator, Warn warn);  // by reference

  void begin(const State& state) { beam_errors_.look(state.t, state.x); }
  // After a step; change: it ends in a change; pause: the host stops the run there, s.
  void look(const State& state, bool change, double pause, Outcome& outcome);
  bool endless() const { return chatter_.endless(); }
  std::string advice() const;                     // to a run that cannot go on; empty: none
  void judge(Outcome& outcome, bool repeatable);  // repeatable: the same motion can be computed once more

 private:
  void judge_steps(Outcome& outcome);  // what limited them

  const Prepared& prepared_;
  Dynamics& dynamics_;
  const Integrator& integrator_;
  StiffSteps stiff_;
  BeamErrors beam_errors_;
  Crawl crawl_;
  step::Chatter chatter_;
  bool switched_ = false;  // and its event is listed
  Warn warn_;
};

}  // namespace armature::internal
