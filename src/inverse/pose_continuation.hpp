// Closed poses of a machine that formulas of t move, one after the other: continuation in time.
//
// From a closed pose the next one is predicted along the velocity, and Newton's method solves phi(t, q) = 0 from there. The pose
// counts if every row is closed, also one that the projection leaves out near a singular pose, and if the correction is small
// against the way: else Newton's method has found another branch. Where the pose does not count, the step is halved.
//
// A step that has become too short has two causes. At a limit of the reach the velocity grows without bound, and no pose lies
// beyond: the motion ends there, and halving has located the limit. At a dead center branches meet, and Newton's method sees a
// singular matrix: poses beside it are tried, to both sides of every direction in which the machine can move there, and the
// motion goes on along the nearest branch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dynamics/assembly_steps.hpp"
#include "dynamics/configuration.hpp"
#include "model/finding.hpp"
#include "observe/constraint_gaps.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class PoseContinuation {
 public:
  // Keeps the evaluator by reference. The start is closed.
  PoseContinuation(SystemEvaluator& evaluator, const State& start);

  const State& state() const { return state_; }
  // To time t, or as far towards it as the machine reaches. False: state() is at the limit.
  bool advance(double t);
  // Where advance(t) ended at a limit: the joint or constraint that is open the most at time t; empty: the machine has no loops.
  std::string open_loop(double t);
  const Findings& choices() const { return choices_; }  // of branches

 private:
  bool step(double t);                    // from state() in one piece
  bool close(State& pose);                // with the comparisons of the pose itself
  bool close_with_outcomes(State& pose);  // with the comparisons as they are
  bool is_closed(const State& pose);      // every row
  // No row depends on what differs.
  bool rows_agree(const Eigen::VectorXd& outcomes, const Eigen::VectorXd& others) const;
  State predicted(double t) const;                              // along the velocity
  double way(const State& from, const State& to, int i) const;  // change of a coordinate, rad or share of the length
  double way(const State& from, const State& to) const;         // the largest
  bool leave_branch_point(double t);
  std::vector<Eigen::VectorXd> directions();  // in which the machine can move at the pose
  std::optional<State> beside(double t, const std::vector<Eigen::VectorXd>& directions);  // the nearest closed pose
  bool jump(double t);
  void take(const State& next);
  Finding choice(const State& from) const;

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  AssemblySteps steps_;
  ConstraintGaps gaps_;
  SparseTerms terms_;
  std::vector<int> comparisons_;  // on which rows depend
  State state_;
  Findings choices_;
};

}  // namespace armature::internal
