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
#include "run/rollout_checks.hpp"
#include "step/fixed_step.hpp"

namespace armature::internal {

// Arrays of the caller, row by row. A state is what the motion depends on (rollout_states); inputs are the system's parameters.
struct RolloutArrays {
  long motions = 0, steps = 0;
  double t = 0;                    // s, of all given states
  const double* states = nullptr;  // motions x nx
  const double* inputs = nullptr;  // steps x motions x inputs, or motions x inputs; null: those of the model
  bool inputs_change = false;      // the former
  long every = 0;                  // after so many steps the states are kept; 0: the last alone
  double* kept = nullptr;          // (steps / every) x motions x nx, or motions x nx; NaN after a step that failed
  long* failed = nullptr;  // motions: the step that failed, from 0; -1: none; `steps`: none, but the energy is off
  // motions: what a run with these steps would warn of, and why one failed; null: nobody asks
  Findings* findings = nullptr;

  long rows() const { return every > 0 ? steps / every : 1; }
};

// With an explicit one-step method and its step.
void prepare_for_rollout(Prepared& prepared, const std::string& integrator, double step);
// The entries of x that the motion depends on: not work and heat, by which it is checked.
std::vector<int> rollout_states(const Equations& equations);

// One thread's.
class Rollout {
 public:
  // prepared: for rollouts, with the ledger of energy; it outlives this.
  explicit Rollout(const Prepared& prepared);
  ~Rollout();

  // Motions first … first + count - 1, as far as there are any; at most lane_count. Throws Interrupted when nobody wants them any more.
  void run(long first, const RolloutArrays& arrays, long count = lane_count);
  void run(std::span<const long> motions, const RolloutArrays& arrays);  // these; at most lane_count

 private:
  struct Lanes;
  void run_alone(long motion, const RolloutArrays& arrays);
  void set_inputs(const RolloutArrays& arrays, long motion, long step);

  const Prepared& prepared_;
  const std::vector<int> states_;
  std::unique_ptr<RolloutChecks> checks_;
  std::unique_ptr<Lanes> lanes_;  // one of these two
  std::unique_ptr<PausedRun> alone_;
};

}  // namespace armature::internal
