// One linear step of assembly.hpp. What is met exactly makes the rows C, c; what is minimized the rows J, r; all are pure numbers:
//
//   min 1/2 |J dv + r|^2 + weight/2 |dv|^2   with   C dv = -c
//
//               C                    J
//   approach    keep                 near
//   reach       keep, near           the loops' gap
//   close       loops, keep          near
//   meet        loops, keep, near
//   least_gap   keep                 the loops' gap
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dynamics/assembly_pose.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature::internal {

class AssemblyRows : public AssemblyPose {
 public:
  AssemblyRows(SystemEvaluator& evaluator, bool conditions);

  void hold_free_coordinates(const State& state);  // further kept values: what the loops leave free
  std::vector<std::string> held() const;           // their names
  bool is_met(int row) const;                      // of the rows of loops, then of keep (or speed_keep)
  // After least_gap() or velocities(): the loops and kept values that cannot be met together with a violated one.
  std::vector<std::string> contradicted();

 protected:
  enum class Goal { approach, reach, close, meet, least_gap };
  static bool closes(Goal goal) { return goal == Goal::close || goal == Goal::meet; }
  static bool minimizes_gap(Goal goal) { return goal == Goal::reach || goal == Goal::least_gap; }

  void gather(Goal goal);  // at the last evaluation
  void group_rows(int loops);
  double violation() const;  // norm of c_
  double merit(Goal goal) const;
  bool factor(const SparseMatrix& metric);  // of C_, into rows_
  bool solve(double weight);                // dv_; false: nothing to be had
  bool restore(State& state, Goal goal);    // onto C = 0 by the shortest way, to round-off

  std::vector<int> condition_groups_;  // components of one vector, of conditions
  SparseMatrix C_, J_;
  Eigen::VectorXd c_, c_size_, r_, dv_;
  KineticRows rows_;
  bool speeds_ = false;  // C_ and c_ are those of velocities()

 private:
  void measure_rows();
  bool holds_position(int row) const { return !equations().rows[static_cast<std::size_t>(row)].rate; }
  void prepare_rows();  // for C_
  bool solve_with_slacks(double weight);
  bool all_met() const;
  std::string name_of(int row) const;  // of C_: a loop or a kept value

  std::vector<int> row_groups_, groups_;      // the same, of loops and of C_
  std::vector<std::pair<int, double>> held_;  // {velocity, position} kept by hold_free_coordinates
  StackedRows stacked_;                       // work memory of gather()
  Eigen::MatrixXd gram_, C_dense_;            // and of solve()
  Eigen::VectorXd lambda_, force_;
  KineticRows slack_rows_;
};

}  // namespace armature::internal
