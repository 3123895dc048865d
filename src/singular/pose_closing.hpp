// One thread's part of a map of poses: closes the machine at places, and measures it there.
#pragma once

#include "singular/pose_branch.hpp"
#include "singular/singular_search.hpp"

namespace armature::internal {

class PoseCloser {
 public:
  explicit PoseCloser(const PoseMachine& machine);

  PoseBranch& branch() { return branch_; }
  SingularSearch& search() { return search_; }
  PoseMeasures measure(const State& state) { return pose_.measure(state); }
  SingularPose::NullDirection null_direction(const State& state, SingularityKind kind) {
    return pose_.null_direction(state, kind);
  }

  // The loops closed at a place from any state, on whatever branch; false: they do not close.
  bool assemble_at(const Place& place, const State& from, State& state);

  // Where the pose does not hold the machine (J_pose on the tangents of the loops has lost rank), no neighbor can be
  // closed from it: the pose changes with the square of the way along the null direction. States on the loops some way
  // along it, to both sides; none where the pose is regular.
  std::vector<State> beside(const State& state);

 private:
  Eigen::MatrixXd lost_directions(const State& state);  // columns, of largest entry one

  const PoseMachine& machine_;
  SystemEvaluator evaluator_;
  SingularPose pose_;
  SingularSearch search_;
  PoseBranch branch_;
};

}  // namespace armature::internal
