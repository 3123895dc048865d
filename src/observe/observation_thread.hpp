// An Observation beside the run. The run's thread only stores its steps, and what holds in them; a thread with a Dynamics of
// its own interpolates, projects, solves for the multipliers, evaluates the rest and records. The numbers are those that the
// run's Dynamics would have given.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "observe/observation.hpp"
#include "prepare/prepare.hpp"
#include "record/block_thread.hpp"

namespace armature::internal {

class ObservationThread {
 public:
  // Another core is free for it, and what is observed depends on nothing that the run's Dynamics remembers of evaluations
  // before.
  static bool possible(const Prepared& prepared);

  // The thread gets ready while the run does. All is kept by reference.
  ObservationThread(const Prepared& prepared, Recorder& recorder, Observation::Lists lists);

  // With what is the run's own, at its start. It is kept by reference, but looked at here and in add() only: should the run
  // throw, it is gone before the thread has worked through what it has.
  void begin(Dynamics& run, const Integrator& integrator, const State& state);

  // Observation::see of the integrator's last step, with the discrete values and outcomes that hold in it. Throws what recording
  // threw.
  void add(double until, double pivot, bool anew);
  void finish(Outcome& outcome);  // all is recorded; throws what recording threw

 private:
  void append(std::vector<double>& numbers, double until, double pivot, bool anew) const;
  void work_through(const std::vector<double>& numbers);
  void begin_observation();
  const double* take(const double* numbers);  // of a step; returns where they end

  const Prepared& prepared_;
  Recorder& recorder_;
  const Observation::Lists lists_;
  const std::function<bool()> stop_;  // the interruption of the run's thread

  // the run's
  Dynamics* run_ = nullptr;
  const Integrator* integrator_ = nullptr;
  const State* now_ = nullptr;

  // given to the thread with the start of the run
  State state_;  // at the start; then its discrete values and outcomes are those of the step that is seen
  MakeStoredStep make_step_;
  bool project_stages_ = false;
  ProjectionBeginning projection_;

  // the thread's own
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<StoredStep> step_;
  std::optional<Observation> observation_;

  // One number for the thread to get ready, one for the start, and then steps: until, pivot, anew, d, outcomes and statuses, and
  // the step as it is stored.
  BlockThread thread_;
};

}  // namespace armature::internal
