// Exact partial derivatives at a state, with comparisons held:
//
//   d xdot = J dx + B du      dy = C dx + D du      y: Equations::quantities
//
// An input enters forces and the rates of other states. Its column of B is one more right-hand side of the constrained system:
// M a_u + Phi' lambda_u = f_u,  Phi a_u = 0.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "dynamics/dynamics.hpp"
#include "prepare/prepare.hpp"
#include "system/state_program.hpp"

namespace armature::internal {

class Sensitivities {
 public:
  explicit Sensitivities(const Prepared& prepared);  // derives and compiles them

  void evaluate(const State& state, const Eigen::VectorXd& inputs);  // throws ComputationError where there are none

  Eigen::VectorXd rates(const Eigen::VectorXd& dx, const Eigen::VectorXd& du) const { return J_ * dx + B_ * du; }
  Eigen::VectorXd quantities(const Eigen::VectorXd& dx, const Eigen::VectorXd& du) const { return C_ * dx + D_ * du; }
  // The same the other way: d(weights . xdot + weights . y) with respect to x and to the inputs.
  Eigen::VectorXd by_states(const Eigen::VectorXd& rates, const Eigen::VectorXd& quantities) const {
    return J_.transpose() * rates + C_.transpose() * quantities;
  }
  Eigen::VectorXd by_inputs(const Eigen::VectorXd& rates, const Eigen::VectorXd& quantities) const {
    return B_.transpose() * rates + D_.transpose() * quantities;
  }

 private:
  void evaluate_inputs(const State& state);

  std::shared_ptr<const System> system_;
  Layout n_;
  Dynamics dynamics_;
  StateProgram by_input_;     // f_u and zdot_u, an input after the other
  StateProgram by_quantity_;  // C and D by columns
  Terms terms_;
  KineticRows rows_;
  Eigen::MatrixXd J_, B_, C_, D_;
};

}  // namespace armature::internal
