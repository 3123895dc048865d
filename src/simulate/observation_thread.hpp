// An Observation beside the run. The run's thread only stores its steps, and what holds in them; a thread with a Dynamics of
// its own interpolates, projects, solves for the multipliers, evaluates the rest and records. The numbers are those that the
// run's Dynamics would have given.
#pragma once

#include <memory>
#include <optional>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "record/block_thread.hpp"
#include "simulate/observation.hpp"
#include "simulate/prepare.hpp"

namespace armature {

class ObservationThread {
 public:
  // Another core is free for it, steps can be stored, and what is observed depends on nothing that the run's Dynamics
  // remembers of evaluations before.
  static bool possible(const Prepared& prepared, const Dynamics& run, const Integrator& integrator);

  // All is kept by reference; run, integrator and state are those of the run, now at its start. They are looked at here and in
  // add() only: should the run throw, they are gone before the thread has worked through what it has.
  ObservationThread(const Prepared& prepared, Dynamics& run, const Integrator& integrator, const State& state,
                    Recorder& recorder, Observation::Lists lists);

  // Observation::see of the integrator's last step, with the discrete values and modes that hold in it. Throws what recording
  // threw.
  void add(double until, double pivot, bool anew);
  void finish(Outcome& outcome);  // all is recorded; throws what recording threw

 private:
  void work_through(const std::vector<double>& numbers);
  void begin();                               // with the first of them
  const double* take(const double* numbers);  // of a step; returns where they end

  const Prepared& prepared_;
  Dynamics& run_;
  const Integrator& integrator_;
  const State& now_;  // of the run
  const MakeStoredStep make_step_;
  Recorder& recorder_;
  const Observation::Lists lists_;
  const bool project_stages_;
  const ProjectionBeginning projection_;

  // the thread's own
  State state_;  // at the start; then its discrete values and modes are those of the step that is seen
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<StoredStep> step_;
  std::optional<Observation> observation_;

  BlockThread thread_;  // of steps: until, pivot, anew, d, w, modes, and the step as it is stored
};

}  // namespace armature
