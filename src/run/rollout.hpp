// Many motions of one machine from given states, in steps of one length: eight at once, or one by one where lanes cannot run the model.
// A motion has the same bits whatever runs beside it.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/lane_dynamics.hpp"
#include "prepare/prepare.hpp"
#include "run/paused_run.hpp"
#include "step/fixed_step.hpp"

namespace armature::internal {

// Arrays of the caller, row by row. A state is x of the system; inputs are its parameters.
struct RolloutArrays {
  long motions = 0, steps = 0;
  double t = 0;                    // s, of all given states
  const double* states = nullptr;  // motions x nx
  const double* inputs = nullptr;  // steps x motions x inputs, or motions x inputs; null: those of the model
  bool inputs_change = false;      // the former
  long every = 0;                  // after so many steps the states are kept; 0: the last alone
  double* kept = nullptr;          // (steps / every) x motions x nx, or motions x nx; NaN after a step that failed
  long* failed = nullptr;          // motions: the step that failed, from 0; -1: none

  long rows() const { return every > 0 ? steps / every : 1; }
};

// With an explicit one-step method and its step; and without work and heat, which are half of the states of many machines.
void prepare_for_rollout(Prepared& prepared, const std::string& integrator, double step);

// One thread's.
class Rollout {
 public:
  // prepared: for rollouts; it outlives this.
  explicit Rollout(const Prepared& prepared);
  ~Rollout();

  // Motions first … first + count - 1, as far as there are any; at most lane_count. Throws Interrupted when nobody wants them any more.
  void run(long first, const RolloutArrays& arrays, long count = lane_count);
  void run(std::span<const long> motions, const RolloutArrays& arrays);  // these; at most lane_count

 private:
  struct Lanes;
  void run_alone(long motion, const RolloutArrays& arrays);

  const Prepared& prepared_;
  std::unique_ptr<Lanes> lanes_;  // one of these two
  std::unique_ptr<PausedRun> alone_;
};

}  // namespace armature::internal
