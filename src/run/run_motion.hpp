// The motion of a run, step by step: what the loop (step/advance.hpp) moves forward. A single run is its own host; eight in lanes share one
// (motion_lanes.hpp), which asks each for what happens now and then.
#pragma once

#include <algorithm>
#include <memory>

#include "dynamics/dynamics.hpp"
#include "dynamics/index2.hpp"
#include "events/samples.hpp"
#include "integrate/integrator.hpp"
#include "observe/watcher.hpp"
#include "run/run_changes.hpp"
#include "run/run_checks.hpp"
#include "run/step_stops.hpp"

namespace armature::internal {

class RunMotion {
 public:
  // All but the start is kept by reference; index2: that of ida, else null. terms: of the system, where they are known.
  RunMotion(const Prepared& prepared, StepWatcher& watcher, Dynamics& dynamics, Integrator& integrator, Index2* index2,
            Warn warn, std::shared_ptr<const WatchedTerms> terms);

  void begin();
  const State& state() const { return state_; }
  RunChanges& changes() { return changes_; }
  RunChecks& checks() { return checks_; }
  Outcome& outcome() { return outcome_; }
  void report(Outcome& outcome) const { stops_.report(outcome); }  // what steps have passed over

  // No step goes beyond t, and samples that are due there are left to resume().
  void pause_at(double t) { end_ = std::min(prepared_.options.last_time(), t), has_host_ = true; }
  bool has_host() const { return has_host_; }  // who stops the run on its way, and may change its inputs
  void resume();
  double next_sample() const { return samples_.next(); }  // s; infinite: there is none
  template <class Change>
  void change_held(const Change& change);  // at the state: what is constant between steps jumps

  // Host of step::advance.
  step::Tried<1> attempt(bool);
  bool show_all(bool);
  bool find_changes(bool);
  bool watch(bool);
  bool move(bool);
  bool follow(bool);
  bool settle(bool);

  // Of the step at hand; lanes fill in what they find together.
  struct Last {
    StepStatus status = StepStatus::ok;
    step::Change change;
    bool enough = false;  // is seen: the run may end
    bool anew = false;    // outcomes or held values may be others now
  };
  Last& last() { return last_; }
  double stop();  // the next step must not go beyond it
  bool follows_steps() const { return follows_steps_; }
  template <class Values>
  void take_followed(const Values& values);  // values(i) of Equations::discrete

 private:
  void take_samples();
  bool take_due_samples();  // on the way; false: there are none
  void set_state();
  void restart();
  void start_integrator();

  const Prepared& prepared_;
  State state_;
  Dynamics& dynamics_;
  Integrator& integrator_;
  Index2* index2_;
  StepWatcher& watcher_;
  Outcome outcome_;
  RunChanges changes_;
  StepStops stops_;
  RunChecks checks_;
  Samples samples_;
  const bool follows_steps_;
  Last last_;
  double end_;  // no step goes beyond it
  bool has_host_ = false;
  bool started_ = false;  // the integrator is where the state is
};

template <class Change>
void RunMotion::change_held(const Change& change) {
  changes_.change_held(change);
  restart();
}

template <class Values>
void RunMotion::take_followed(const Values& values) {
  const auto& discrete = prepared_.system->equations().discrete;
  for (Eigen::Index i = 0; i < state_.d.size(); ++i)
    if (discrete[static_cast<std::size_t>(i)].follows_steps()) state_.d[i] = values(static_cast<int>(i));
  set_state();
}

}  // namespace armature::internal
