// The steps of assembly.hpp: from a guess to closed loops, from these to the nearest pose that closes them, and the velocities
// that go with it. All of them measure by start_metric.hpp.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "dynamics/configuration.hpp"
#include "dynamics/start_metric.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

// How far a pose is from what the file says. A smaller miss of `near` counts before a smaller motion of the rest.
struct Miss {
  double near = 0;   // norm of the residuals of `near`, pure numbers
  double moved = 0;  // norm of the motion of coordinates that the file does not name
  bool clearly_below(const Miss& other) const;
};

using StartConditions = std::vector<StartCondition>;

class AssemblySteps {
 public:
  AssemblySteps(SystemEvaluator& evaluator, bool conditions);

  const Equations& equations() const { return evaluator_.system().equations(); }
  void evaluate(const State& state);

  // Puts named coordinates at their values. From there distances count; the metric is taken there.
  void begin(State& guess);
  void measure(const State& state);  // takes the metric there
  const State& said() const { return said_; }
  double length() const { return metric_.length(); }  // of the machine, m, in that metric

  void approach(State& state);  // keep and near alone: where the parts would be without the loops
  void reach(State& state);     // keep and near held, the other parts as nearly closing the loops as can be: the branch
  bool close(State& state, int most_steps = 100);  // keep and loops exactly, near as well as can be
  void draw_near(State& state);   // of closed loops: moves to the nearest pose that closes them, of those around
  void take_turns(State& state) const { state.d = d_; }  // whole turns of angles at the last evaluation
  void drop_turns(State& state);  // whole turns that a coordinate made away from what the file says, where the loops allow it
  std::vector<int> settle_modes(State& state);  // by the signs of their roots; those that changed
  void least_gap(State& state);                 // keep exactly, the loops as nearly closed as can be
  bool velocities(State& state);  // phidot = 0; false: none to be had, of which phidot() and speed_residual() tell more

  // Coordinates that loops or conditions couple with each other; what belongs to none of them takes no part.
  int components() const { return components_; }
  int coordinates(int component) const;
  static constexpr int everything = -1;
  void shake(State& state, double size, std::mt19937& generator, int component = everything) const;  // 1: any angle
  void reset(State& state, int component) const;                                                     // to what the file says
  Miss miss(const State& state, int component = everything);

  void hold_free_coordinates(const State& state);  // further kept values: what the loops leave free
  // After least_gap() or velocities(): the loops and kept values that cannot be met together with a violated one.
  std::vector<std::string> contradicted();
  bool is_met(int row) const;                             // of the rows of loops, then of keep (or speed_keep)
  double distance(const State& a, const State& b) const;  // largest difference, whole turns left out

  // of the last evaluation
  const Eigen::VectorXd& phi() const { return terms_.phi; }
  const Eigen::VectorXd& phidot() const { return terms_.phidot; }
  const Eigen::VectorXd& start_residual() const { return start_; }
  Eigen::VectorXd keep_residual() const { return start_.head(keeps_); }
  Eigen::VectorXd near_residual() const { return start_.tail(nears_); }
  const Eigen::VectorXd& speed_residual() const { return speed_; }  // of speed_keep
  const StartConditions& keep() const;
  const StartConditions& near() const;
  const StartConditions& speed_keep() const;
  bool names(int position) const { return named_[position]; }

 private:
  void count_turns(const State& state);  // of angles, at the inputs that are set
  bool right_way_round();                // Equations::senses, at the last evaluation
  // What is met exactly (rows C_, c_), and what is minimised (rows J_, r_):
  //   approach  keep; near         reach  keep, near; the loops' gap       close      loops, keep; near
  //   meet      loops, keep, near                                        least_gap  keep; the loops' gap
  enum class Goal { approach, reach, close, meet, least_gap };
  static bool closes(Goal goal) { return goal == Goal::close || goal == Goal::meet; }
  static bool minimises_gap(Goal goal) { return goal == Goal::reach || goal == Goal::least_gap; }
  void gather(Goal goal);  // at the last evaluation
  void group_rows(int loops);
  void measure_rows();
  void prepare_rows();                      // for C_
  bool factor(const SparseMatrix& metric);  // of C_, into rows_
  double merit(Goal goal) const;
  bool step(double damping);  // dv_
  // min 1/2 |J dv + r|^2 + weight/2 |dv|^2  with  C dv = -c; false: nothing to be had
  bool solve(double weight);
  bool solve_with_slacks(double weight);
  double violation() const;  // norm of c_
  bool all_met() const;
  bool iterate(State& state, Goal goal, int most);
  bool try_step(State& state, Goal goal, const Eigen::VectorXd& dv, double before);
  bool restore(State& state, Goal goal);  // onto C = 0 by the shortest way, to round-off
  std::string name_of(int row) const;     // of C_: a loop or a kept value
  double limited() const;                 // factor that keeps dv_ within half a radian or the machine's length
  void put_named(State& state, const std::vector<StartCondition>& conditions, int first);
  void find_named();
  void find_components();
  void put_named_speeds(State& state);
  void measure_speeds(const Eigen::VectorXd& v);

  // assembly_descent.cpp
  struct Slope;
  void descend(State& state, Goal goal);
  double objective(const State& state, Goal goal) const;
  Eigen::VectorXd gradient(const State& state, Goal goal) const;
  Slope slope(const State& state, Goal goal);
  Eigen::VectorXd curvature(const State& state, Goal goal, const Eigen::VectorXd& multipliers,
                            const Eigen::VectorXd& v);
  Eigen::VectorXd newton_step(const State& state, Goal goal, const Slope& slope, double radius);
  Eigen::VectorXd away(const State& state) const;  // motion of coordinates that are not named

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  StartMetric metric_;
  SparseTerms terms_;
  std::optional<Evaluator> senses_;
  std::optional<Evaluator> angles_;  // with whole turns that are chosen at the start
  std::vector<int> turns_;           // their discrete values,
  std::vector<double> wanted_;       // and the angles within half a turn of which they are
  std::vector<double> angle_;
  bool counts_turns_ = false;        // else they are what the state says
  Eigen::VectorXd d_;
  bool conditions_;
  int keeps_ = 0, nears_ = 0;
  State said_;
  std::vector<int> row_groups_, condition_groups_, groups_;  // components of one vector: of loops, of conditions, of C_
  std::vector<char> named_;                                  // positions
  std::vector<int> component_;                               // of the velocities; -1: of none
  int components_ = 0;
  Eigen::VectorXd start_, speed_;
  Eigen::VectorXd start_scale_;  // of keep and near, in the metric taken
  SparseMatrix start_J_;
  std::vector<std::pair<int, double>> held_;  // {velocity, position} kept by hold_free_coordinates
  Eigen::VectorXd q_;
  SparseMatrix C_, J_;
  StackedRows stacked_;              // work memory of gather()
  Eigen::MatrixXd gram_, C_dense_;   // and of solve()
  Eigen::VectorXd c_, c_size_, r_, dv_, lambda_, force_, way_;
  KineticRows rows_, slack_rows_;
  bool speeds_ = false;  // C_ and c_ are those of velocities()
};

}  // namespace armature::internal
