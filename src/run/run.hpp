// One run from its start to its end: its motion (run_motion.hpp), how it ends, and what is to be said then. The loop over its steps is in
// simulate.cpp for a single run, in paused_run.cpp for a host's, in motion_lanes.cpp for many at once.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "run/run_motion.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

class Run {
 public:
  // All but the start is kept by reference; index2: that of ida, else null. terms: of the system, where they are known.
  Run(const Prepared& prepared, StepWatcher& watcher, Dynamics& dynamics, Integrator& integrator,
      Index2* index2 = nullptr, Warn warn = {}, std::shared_ptr<const WatchedTerms> terms = nullptr);

  void begin();
  RunMotion& motion() { return motion_; }
  double t() const { return motion_.state().t; }
  const State& state() const { return motion_.state(); }
  const std::vector<RunEvent>& events() { return motion_.outcome().events; }
  Findings laws_met() {
    return motion_.changes().findings();
  }  // what impacts and rigid contacts have left to be said, so far

  // From the present time on: the host has changed inputs. Returns the energy that they bring into the machine, J.
  double set_parameters(const Eigen::VectorXd& parameters);

  // One step of the integrator and all that follows from it; how the run ended, if it has.
  std::optional<Outcome> step(const Progress& progress);

  // How it ended, if it has.
  std::optional<Outcome> end_if_broken();  // there is no motion from here
  std::optional<Outcome> conclude(const Progress& progress);
  Outcome fail(StepStatus status);
  Outcome end_stopped();
  Outcome end(RunStatus status, std::string sentence);

 private:
  double stored_energy();

  const Prepared& prepared_;
  Dynamics& dynamics_;
  Integrator& integrator_;
  Index2* index2_;
  StepWatcher& watcher_;
  RunMotion motion_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace armature::internal
