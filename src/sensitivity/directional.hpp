// Expressions of a model's state, differentiated along many directions at once.
//
// A direction moves every leaf that can move: the state x = (q, v, z), the discrete values d, time and the free parameters p. Its derivative
//
//   dy = y_x dx + y_d dd + y_t dt + y_p dp
//
// is one program with the direction as further inputs, so that no Jacobian is formed. Eight directions share one evaluation, in lanes: the
// state is the same in all of them, and a lane gives the bits that it would give alone.
//
// The weight of a comparison that slides moves as well (motion_sensitivity.hpp). Its effect, y_w, is a program for each comparison that may
// slide: the branches of all others are not looked at.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "expression/program.hpp"
#include "system/system.hpp"

namespace armature::internal {

class Directional {
 public:
  // further: leaves besides those of the state, which no direction moves (accelerations, multipliers). sliders: comparisons whose weights
  // may move. Writes into the graph.
  Directional(const System& system, const std::vector<Expression>& y, const std::vector<Expression>& further = {},
              const std::vector<int>& sliders = {});

  // All stay until they are set again.
  void set(const State& state);  // t, x, discrete values and outcomes
  void set_parameters(const Eigen::VectorXd& parameters);
  void set_further(const Eigen::VectorXd& values);

  static int rows(const Layout& n) { return n.nx() + n.nd + 1 + n.np; }  // of a direction: dx, dd, dt, dp
  static int time_row(const Layout& n) { return n.nx() + n.nd; }

  // directions: rows() rows, a column each. The derivatives: a row for each y, a column for each direction.
  void operator()(const Eigen::MatrixXd& directions, Eigen::MatrixXd& derivatives);
  // y_w of the k-th slider.
  void by_weight(int k, Eigen::VectorXd& derivatives);
  bool depends_on_weight(int k) const { return by_weight_[static_cast<std::size_t>(k)].has_value(); }

 private:
  void evaluate_one(const Eigen::MatrixXd& directions, Eigen::Index column, Eigen::MatrixXd& derivatives);
  void evaluate_lanes(const Eigen::MatrixXd& directions, Eigen::Index first, int count, Eigen::MatrixXd& derivatives);

  Layout n_;
  int further_ = 0, direction_ = 0;  // where they begin among the inputs
  Evaluator one_, lanes_;
  std::vector<std::optional<Evaluator>> by_weight_;  // nothing: y does not depend on it
  Eigen::VectorXd in_, out_;                         // of one direction
  std::vector<LaneRow> in_lanes_, out_lanes_;
};

}  // namespace armature::internal
