// Any expressions of a model's state as a program: for analyses that ask for more, or for less, than a System offers.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "mechanics/equations.hpp"
#include "system/state.hpp"

namespace armature::internal {

class StateProgram {
 public:
  // `further`: leaves besides t, q, v, z, discrete values, outcomes and parameters.
  StateProgram(const Equations& equations, const std::vector<Expression>& outputs,
               const std::vector<Expression>& further = {});

  // Values at a state; what is not set again stays.
  void set(double t, const Eigen::VectorXd& x);
  void set(const State& state);  // t, x, discrete values and outcomes
  void set_parameters(const Eigen::VectorXd& values);
  void set_further(const Eigen::VectorXd& values);
  const Eigen::VectorXd& evaluate();

 private:
  int nx_, nd_;
  Eigen::Index outcomes_, parameters_, further_;  // where they begin among the inputs
  Evaluator evaluator_;
  Eigen::VectorXd in_, out_;
};

}  // namespace armature::internal
