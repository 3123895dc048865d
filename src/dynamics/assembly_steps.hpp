// The steps of assembly.hpp: from a guess to closed loops, and the velocities that go with them.
#pragma once

#include <random>
#include <vector>

#include "dynamics/configuration.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

class AssemblySteps {
 public:
  AssemblySteps(SystemEvaluator& evaluator, bool conditions);

  const Equations& equations() const { return evaluator_.system().equations(); }
  void evaluate(const State& state);

  void approach(State& state);  // keep and near alone: where the parts would be without the loops
  void reach(State& state);     // keep and near held, the other parts as nearly closing the loops as can be: the branch
  bool close(State& state);     // keep and loops exactly, near as well as can be
  void least_gap(State& state);   // keep exactly, the loops as nearly closed as can be
  bool velocities(State& state);  // phidot = 0; false: none to be had, of which phidot() and speed_residual() tell more

  void shake(State& state, double size, std::mt19937& generator) const;  // size 1: any angle
  void hold_free_coordinates(const State& state);  // further kept values: what the loops leave free
  // After least_gap() or velocities(): the loops and kept values that cannot be met together with a violated one.
  std::vector<std::string> contradicted();
  double distance(const State& a, const State& b) const;  // largest difference, whole turns left out

  // of the last evaluation
  const Eigen::VectorXd& phi() const { return terms_.phi; }
  const Eigen::VectorXd& phidot() const { return terms_.phidot; }
  const Eigen::VectorXd& start_residual() const { return start_; }
  Eigen::VectorXd keep_residual() const { return start_.head(keeps_); }
  const Eigen::VectorXd& speed_residual() const { return speed_; }  // of speed_keep
  std::vector<StartCondition> keep() const;
  std::vector<StartCondition> speed_keep() const;
  double tolerance() const { return 1e-11 * std::max(size_, 1.0); }  // of phi and keep: what counts as met
  double speed_tolerance() const { return 1e-9 * std::max(1.0, size_ * speed_size_); }

 private:
  bool right_way_round() const;  // Equations::senses
  enum class Goal { approach, reach, close, least_gap };
  static bool gap_counts(Goal goal) { return goal == Goal::reach || goal == Goal::least_gap; }
  void gather(Goal goal);     // constraint rows C_, c_ and objective rows J_, r_ at the last evaluation
  bool step(double damping);  // dv_
  // min 1/2 |J dv + r|^2 + weight/2 dv' M dv  with  C dv = -c; false: nothing to be had
  bool solve(double weight);
  bool solve_with_slacks(double weight);
  double violation() const;  // norm of c_
  bool iterate(State& state, Goal goal, int most);
  std::string name_of(int row) const;  // of C_: a loop or a kept value
  void polish(State& state);
  double limited(double damping) const;  // factor that keeps dv_ within half a radian or the size

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  SparseTerms terms_;
  bool conditions_;
  int keeps_ = 0, nears_ = 0;
  Eigen::VectorXd start_, speed_;
  SparseMatrix start_J_;
  std::vector<std::pair<int, double>> held_;  // {velocity, position} kept by hold_free_coordinates
  Eigen::VectorXd q_;
  SparseMatrix C_, J_, metric_;
  Eigen::VectorXd c_, r_, dv_, lambda_, force_;
  KineticRows rows_, slack_rows_;
  double size_ = 1;        // of the mechanism, m: the largest lever arm
  double speed_size_ = 0;  // of its velocities
  bool speeds_ = false;    // C_ and c_ are those of velocities()
};

}  // namespace armature
