// Plans: the motion between two states, or along a path, that costs least within the limits of the motors.
//
//   model, question ──► machine without switches, limits as bounds (planned_machine.hpp)
//                          │
//                       first guesses (first_guess.hpp), the best of what is found from them
//                          ▼
//                   ┌── collocation on a mesh (collocation.hpp) ──► interior point method (interior_point.hpp)
//          finer    │                                                     │
//          mesh     └── mesh_refinement.hpp ◄── the run with these inputs, as the engine simulates it (planned_run.hpp)
//
// The search ends when the simulated end state is as accurate as wanted and a finer mesh saves nothing more.
#pragma once

#include <memory>

#include "plan/collocation.hpp"
#include "plan/feedback_gains.hpp"
#include "plan/planned_run.hpp"

namespace armature::internal {

enum class PlanStatus { found, inaccurate, infeasible, not_converged, stopped };

struct PlanResult {
  PlanStatus status = PlanStatus::not_converged;
  std::string sentence;
  std::unique_ptr<PlannedMachine> machine;
  std::unique_ptr<Collocation> collocation;
  PlannedMotion motion;         // the last that was found
  bool has_motion = false;      // that satisfies the equations
  double cost = 0;              // SI
  double end_error = 0;         // simulated, in units of the machine
  double target_error = 0;      // simulated, SI
  double constraint_error = 0;  // of the simulated run, SI
  struct Round {
    Eigen::Index intervals;
    int iterations;
    double cost, end_error;
  };
  std::vector<Round> rounds;
  struct Starts {
    int tried = 0, found = 0, agreed = 0;  // agreed: whose motions cost as much as the best
  };
  Starts starts;
  std::vector<std::string> active;  // limits that hold the motion back
  std::vector<std::string> notes, warnings;
  FeedbackGains gains;
  double seconds = 0;
};

// Throws ModelError, RequestError, ComputationError.
PlanResult plan(const Model& model, const PlanOptions& options);

}  // namespace armature::internal
