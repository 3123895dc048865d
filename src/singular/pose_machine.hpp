// The machine at a given pose: some coordinates or formulas of them are kept at goals, the loops are closed for the rest.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "singular/singular_pose.hpp"

namespace armature::internal {

struct PoseRequest {
  std::vector<std::string> over;                     // what a place is made of: coordinates, or formulas of them
  std::vector<std::pair<std::string, double>> hold;  // kept besides
  std::vector<std::string> active, output;           // as for singularity_frame
};

using Place = std::vector<double>;  // one value for each of `over`, then of `hold`

// What all threads share.
struct PoseMachine {
  std::vector<std::string> names;  // of `over`, then of `hold`
  std::vector<double> held;
  Model model;        // with markers on its bodies, and the pose as definitions
  Prepared prepared;  // the goals are free parameters; at the machine's own start
  Place at_start;     // the pose there
  SingularityFrame frame;
};

// Throws ModelError, RequestError for a name that is none, ComputationError where there is no start.
std::shared_ptr<const PoseMachine> pose_machine(const Model& model, const PoseRequest& request);

std::vector<int> goal_places(const PoseMachine& machine);  // of the goals among the parameters
Place place_of(const PoseMachine& machine, const State& state);

}  // namespace armature::internal
