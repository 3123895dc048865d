// A plan as the engine simulates it: the model of the file, its limits and end stops in force, driven by tables of its inputs.
#pragma once

#include "identify/driven_model.hpp"
#include "plan/collocation.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

// The inputs of a plan at its nodes, without the rate along a path.
MeasuredRecord input_record(const Collocation& collocation, const PlannedMotion& motion);

// The model with its inputs as tables of time, straight lines between the nodes, until the end of the plan.
Model driven_model(const Model& model, const Collocation& collocation, const PlannedMotion& motion);

// How a plan compares with the motion that the engine computes, in units of the machine (MachineSize).
struct SimulatedPlan {
  Outcome outcome;
  Eigen::VectorXd end;      // q, v of the last state
  double end_error = 0;     // of the last state, against that of the plan; infinite: the run did not get there
  double target_error = 0;  // largest target that is missed, SI
  std::vector<double> interval_error;  // of each interval by itself, from its node in the plan
};

SimulatedPlan simulate_plan(const Model& model, const Collocation& collocation, const PlannedMotion& motion,
                            bool intervals, const Progress& progress);

}  // namespace armature::internal
