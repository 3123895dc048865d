#include "singular/pose_closing.hpp"

#include <algorithm>

#include "dynamics/assembly.hpp"
#include "linear/decompositions.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

PoseCloser::PoseCloser(const PoseMachine& machine)
    : machine_(machine),
      evaluator_(machine.prepared.system),
      pose_(machine.prepared.system, machine.frame),
      search_(pose_, machine.frame),
      branch_(machine) {}

bool PoseCloser::assemble_at(const Place& place, const State& from, State& state) {
  const std::vector<int> goals = goal_places(machine_);
  VectorXd p(static_cast<Eigen::Index>(goals.size()));
  for (std::size_t k = 0; k < goals.size(); ++k) p[goals[k]] = place[k];
  evaluator_.set_parameters(p);
  AssemblyResult assembled = assemble(evaluator_, from, {.conditions = true, .attempts = 0, .seed = 1});
  if (!assembled.success) return false;
  state = std::move(assembled.state);
  return true;
}

// In the kinetic metric: T spans the tangents of the loops, J_pose T loses rank along its small singular values.
MatrixXd PoseCloser::lost_directions(const State& state) {
  Terms terms = evaluator_.make_terms();
  evaluator_.set(state);
  evaluator_.position(terms);
  // rows of the pose and of the loops, in the kinetic metric
  VectorXd residual;
  SparseMatrix conditions;
  evaluator_.start_position(residual, conditions);
  const MatrixXd J(conditions);
  const MatrixXd loops = over_cholesky(terms.Phi, terms.M);
  MatrixXd pose = over_cholesky(J, terms.M);
  for (Eigen::Index k = 0; k < pose.rows(); ++k)
    if (pose.row(k).norm() > 0) pose.row(k).normalize();
  // tangents of the loops
  MatrixXd T = MatrixXd::Identity(loops.cols(), loops.cols());
  if (loops.rows() > 0) {
    const Svd of_loops = svd(loops, Eigen::ComputeFullV);
    const VectorXd& s = of_loops.values;
    const auto rank = s.size() > 0 && s[0] > 0 ? (s.array() > Regularity::singular * s[0]).count() : 0;
    T = of_loops.V.rightCols(loops.cols() - rank);
  }
  // which of them leave the pose where it is though their number says they should not
  const Svd of_pose = svd(MatrixXd(pose * T), Eigen::ComputeFullV);
  const auto held = (of_pose.values.array() > Regularity::singular).count();
  const auto lost = std::min(pose.rows(), T.cols()) - held;
  if (lost == 0) return MatrixXd(T.rows(), 0);
  // back to velocities, the largest entry 1
  MatrixXd v = upper_solve(terms.M, MatrixXd(T * of_pose.V.middleCols(held, lost)));
  for (Eigen::Index k = 0; k < lost; ++k) v.col(k) /= v.col(k).cwiseAbs().maxCoeff();
  return v;
}

std::vector<State> PoseCloser::beside(const State& state) {
  constexpr double ways[] = {0.3, -0.3, 0.1, -0.1, 0.03, -0.03};  // of the coordinate that moves most, rad or m
  const MatrixXd directions = lost_directions(state);
  const Configuration configuration(machine_.prepared.system->equations());
  std::vector<State> states;
  for (const double way : ways)
    for (Eigen::Index k = 0; k < directions.cols(); ++k) {
      State moved = state;
      const VectorXd step = way * directions.col(k);
      configuration.advance(moved.x.data(), step.data());
      AssemblyResult closed = assemble(evaluator_, moved, {.conditions = false, .attempts = 0, .seed = 1});
      if (closed.success) states.push_back(std::move(closed.state));
    }
  return states;
}

}  // namespace armature::internal
