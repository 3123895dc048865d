// Expressions of a model's state, differentiated along many directions at once.
//
// A direction moves every leaf that can move: the state x = (q, v, z), the discrete values d and the free parameters p. Its derivative
//
//   dy = y_x dx + y_d dd + y_p dp
//
// is one program with the direction as further inputs, so that no Jacobian is formed. Eight directions share one evaluation, in lanes: the
// state is the same in all of them, and a lane gives the bits that it would give alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/program.hpp"
#include "system/system.hpp"

namespace armature::internal {

class Directional {
 public:
  // further: leaves besides those of the state, which no direction moves (accelerations, multipliers). Writes into the graph.
  Directional(const System& system, const std::vector<Expression>& y, const std::vector<Expression>& further = {});

  // All stay until they are set again.
  void set(const State& state);  // t, x, discrete values and outcomes
  void set_parameters(const Eigen::VectorXd& parameters);
  void set_further(const Eigen::VectorXd& values);

  // directions: nx + nd + np rows, a column each. The derivatives: a row for each y, a column for each direction.
  void operator()(const Eigen::MatrixXd& directions, Eigen::MatrixXd& derivatives);

 private:
  void evaluate_one(const Eigen::MatrixXd& directions, Eigen::Index column, Eigen::MatrixXd& derivatives);
  void evaluate_lanes(const Eigen::MatrixXd& directions, Eigen::Index first, int count, Eigen::MatrixXd& derivatives);

  Layout n_;
  int further_ = 0, direction_ = 0;  // where they begin among the inputs
  Evaluator one_, lanes_;
  Eigen::VectorXd in_, out_;  // of one direction
  std::vector<LaneRow> in_lanes_, out_lanes_;
};

}  // namespace armature::internal
