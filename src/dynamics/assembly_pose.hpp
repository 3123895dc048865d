// A pose of assembly.hpp: what the loops and the conditions of the start say there. Angles of cut joints count whole turns from the
// values that the file gives them. Distances are those of start_metric.hpp.
#pragma once

#include <optional>
#include <vector>

#include "dynamics/configuration.hpp"
#include "dynamics/machine_size.hpp"
#include "dynamics/start_metric.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

using StartConditions = std::vector<StartCondition>;

class AssemblyPose {
 public:
  AssemblyPose(SystemEvaluator& evaluator, bool conditions);

  const Equations& equations() const { return evaluator_.system().equations(); }
  const StartConditions& keep() const;
  const StartConditions& near() const;
  const StartConditions& speed_keep() const;

  void evaluate(const State& state);
  void measure(const State& state);                      // takes the metric there
  std::vector<int> settle_comparisons(State& state);     // by the signs of their roots; those that changed
  void take_turns(State& state) const { state.d = d_; }  // whole turns of angles at the last evaluation
  const State& said() const { return said_; }            // the guess, with named coordinates at their values

  double length() const { return metric_.length(); }  // of the machine, m, in the metric
  MachineSize size(const State& state) const {
    return {equations(), terms_, state.x.data()};
  }                                                       // of the last evaluation
  double distance(const State& a, const State& b) const;  // largest difference, whole turns left out

  // of the last evaluation
  const Eigen::VectorXd& phi() const { return terms_.phi; }
  const Eigen::VectorXd& phidot() const { return terms_.phidot; }
  const Eigen::VectorXd& start_residual() const { return start_; }
  Eigen::VectorXd keep_residual() const { return start_.head(keeps_); }
  Eigen::VectorXd near_residual() const { return start_.tail(nears_); }

 protected:
  void take_named(State& guess);                   // puts named coordinates at their values: from there distances count
  bool right_way_round();                          // Equations::senses, at the last evaluation
  Eigen::VectorXd away(const State& state) const;  // motion of coordinates that are not named

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  StartMetric metric_;
  SparseTerms terms_;
  bool conditions_;
  int keeps_ = 0, nears_ = 0;
  State said_;
  Eigen::VectorXd start_,
      start_scale_;  // residuals of keep and near; what makes them pure numbers, in the metric taken
  SparseMatrix start_J_;
  Eigen::VectorXd q_;

 private:
  void count_turns(const State& state);  // of angles, at the inputs that are set
  void put_named(State& state, const std::vector<StartCondition>& conditions, int first);
  void find_named();

  std::optional<Evaluator> senses_;
  std::optional<Evaluator> angles_;  // with whole turns that are chosen at the start
  std::vector<int> turns_;           // their discrete values,
  std::vector<double> wanted_;       // and the angles within half a turn of which they are
  std::vector<double> angle_;
  bool counts_turns_ = false;  // else they are what the state says
  Eigen::VectorXd d_;
  std::vector<char> named_;  // positions
};

}  // namespace armature::internal
