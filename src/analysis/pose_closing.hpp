// The machine at a given pose: some coordinates or formulas of them are kept at goals, the loops are closed for the rest.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/singular_pose.hpp"

namespace armature {

struct PoseRequest {
  std::vector<std::string> over;                     // what a place is made of: coordinates, or formulas of them
  std::vector<std::pair<std::string, double>> hold;  // kept besides
  std::vector<std::string> active, output;           // as for singularity_frame
};

// What all threads share.
struct PoseMachine {
  std::vector<std::string> names;  // of `over`, then of `hold`
  std::vector<double> held;
  Model model;                   // with markers on its bodies, and the pose as definitions
  Prepared prepared;             // the goals are free parameters; at the machine's own start
  std::vector<double> at_start;  // the pose there
  SingularityFrame frame;
};

// Throws ModelError, RequestError for a name that is none, std::runtime_error where there is no start.
std::shared_ptr<const PoseMachine> pose_machine(const Model& model, const PoseRequest& request);

// One thread's part.
class PoseCloser {
 public:
  explicit PoseCloser(const PoseMachine& machine);

  // The pose at a place with the loops closed, from a state nearby; false: they do not close.
  bool close(const std::vector<double>& at, const State& from, State& state);
  PoseMeasures measure(const State& state) { return pose_.measure(state); }
  SingularPose::NullDirection null_direction(const State& state, SingularityKind kind) {
    return pose_.null_direction(state, kind);
  }

  // Where the pose does not hold the machine (J_pose on the tangents of the loops has lost rank), no neighbour can be
  // closed from it: the pose changes with the square of the way along the null direction. States on the loops some way
  // along it, to both sides; none where the pose is regular.
  std::vector<State> beside(const State& state);

 private:
  Eigen::MatrixXd lost_directions(const State& state);  // columns, of largest entry one

  const PoseMachine& machine_;
  SystemEvaluator evaluator_;
  SingularPose pose_;
};

}  // namespace armature
