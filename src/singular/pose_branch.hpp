// Poses along a straight line of places, followed on one branch:
//
//   pose(q) = p(s),  phi(q) = 0,      [J_pose; Phi] dv/ds = [dp/ds; 0]
//
// Each step predicts along the tangent, returns to the equations by Newton's method and is taken where the correction and the
// turn of the tangent are small against the step; otherwise it is halved. Where Phi loses rank branches meet. There the
// prediction is off by the square of the step, the other branch by the step itself: a short step across lands on the
// smooth continuation, and nothing is ever evaluated at the meeting point. A pose there is that between its two sides.
// Where only [J_pose; Phi] is singular the branch turns back: the edge of the reach.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/configuration.hpp"
#include "dynamics/machine_size.hpp"
#include "linear/kinetic_rows.hpp"
#include "singular/pose_machine.hpp"

namespace armature::internal {

// A pose of the branch that was closed, 0 <= s <= 1.
struct BranchKnot {
  double s = 0;
  State state;
  Eigen::VectorXd tangent;  // dv/ds
  double pivot = 1;         // sine of the loops' rows; 0: branches meet
};

enum class BranchEnd {
  reached,    // the other end of the line
  turned,     // no further: the branch turns back
  undecided,  // no further: branches meet, and the continuation cannot be told
};

class PoseBranch {
 public:
  explicit PoseBranch(const PoseMachine& machine);

  // From a pose at place a (s = 0) towards b (s = 1). `tangent` at a where Phi has no rank there, else empty.
  BranchEnd follow(const Place& a, const Place& b, const State& from, const Eigen::VectorXd& tangent = {});
  void follow_to_edge();  // after a branch that turned: as near to where it does as can be told
  const std::vector<BranchKnot>& knots() const { return knots_; }  // as far as it came; may go beyond s = 1

  // The pose at s, between knots; false: none.
  bool at(double s, State& state);
  Eigen::VectorXd tangent_at(double s) const;

  // Whether the branch has led to a pose, whole turns left out.
  bool ends_at(const State& state);

  // Whether branches meet at a pose, nearly: it does not tell how they go on.
  bool is_meeting(const State& state);

 private:
  bool advance_to(double end, double smallest_step);
  double longest_step(const Eigen::VectorXd& tangent) const;
  bool step(double h, BranchKnot& next);
  bool end_at_edge();
  bool correct(double s, State& state, bool exactly);
  bool tangent(const State& state, double s, Eigen::VectorXd& v);
  void evaluate(double s, const State& state);  // terms_, C_, c_
  double open() const;                          // the largest of c_, over its size
  void set_place(double s);
  void set_weights();  // after loop_pivot()
  double length(const Eigen::VectorXd& v) const;
  double loop_pivot(const State& state);
  std::size_t piece(double s) const;  // knots k, k + 1 around s
  Eigen::VectorXd difference(const State& a, const State& b) const;

  const PoseMachine& machine_;
  SystemEvaluator evaluator_;
  Configuration configuration_;
  Terms terms_;
  MachineSize size_;
  KineticRows rows_, loops_;
  std::vector<int> goals_;  // places of the goals among the parameters
  Eigen::VectorXd p_, goal_rate_, start_, c_, dv_;
  SparseMatrix start_J_;
  Eigen::MatrixXd C_, loop_rows_;
  Eigen::VectorXd weight_;  // of a coordinate: how far it moves the loops, m
  Place a_, b_;
  std::vector<BranchKnot> knots_;
};

}  // namespace armature::internal
