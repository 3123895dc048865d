// How a motion changes with its free parameters: S = dx/dp, one column a parameter, by the forward sensitivity equations
//
//   S' = f_x S + f_p
//
// along the computed motion. With the residuals r = M a + Phi' lambda - f and c = phi'' + alpha phi' + beta phi, a and
// lambda being unknowns of their own, a direction (dx, dp) changes the acceleration by
//
//   [ M   Phi' ] [ da      ]     [ r_x dx + r_p dp ]
//   [ Phi      ] [ dlambda ] = - [ c_x dx + c_p dp ]
//
// where the right side is the exact derivative of the expressions: no differences are taken.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>

#include "linear/kinetic_rows.hpp"
#include "system/state_program.hpp"
#include "system/system.hpp"

namespace armature::internal {

// Why there are none: a sentence without its subject. Empty: the equations are smooth between times that are fixed.
std::string why_no_sensitivity(const Equations& equations);

// Made once (it writes expressions into the graph), then copied, one per thread.
class MotionSensitivity {
 public:
  MotionSensitivity(const std::shared_ptr<const System>& system, double alpha, double beta);

  void set_parameters(const Eigen::VectorXd& parameters);
  // t and x of the state, discrete values and outcomes.
  bool rate(const State& state, const Eigen::MatrixXd& S, Eigen::MatrixXd& rate);  // false: not finite
  void make_tangent(const State& state, Eigen::MatrixXd& S);                       // to phi = 0 and phidot = 0

 private:
  bool factor(const State& state);
  const Eigen::VectorXd& along(const Eigen::MatrixXd& S, Eigen::Index column);  // derivatives of all outputs

  Layout n_;
  double alpha_, beta_;
  SystemEvaluator evaluator_;
  StateProgram derivatives_;  // r, c, qdot, zdot, phi, phidot along a direction
  KineticRows rows_;
  Terms terms_;
  Eigen::VectorXd b_, vdot_, lambda_, further_, dvdot_, dlambda_, force_, residual_, correction_;
};

}  // namespace armature::internal
