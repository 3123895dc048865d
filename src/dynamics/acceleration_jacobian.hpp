// The Jacobian of xdot = f(t, x), exact, for implicit integrators. With a and lambda held, each column of
//
//   M a + Phi' lambda = f,  Phi a = b
//
// is one more right-hand side of the same system,  M a_x + Phi' lambda_x = -r_x,
// Phi a_x = (gamma - Phi a)_x - alpha phidot_x - beta phi_x.
#pragma once

#include "dynamics/acceleration.hpp"
#include "dynamics/stabilization.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/system.hpp"

namespace armature::internal {

class AccelerationJacobian {
 public:
  // Keeps references; rows: memory.
  AccelerationJacobian(SystemEvaluator& evaluator, const Stabilization& stabilization, KineticRows& rows);

  // False: a system without programs for it, dependent rows, or the run is stopped.
  bool operator()(double t, const double* x, Eigen::MatrixXd& J);

 private:
  bool differentiate(double t, const double* x);
  void take_side(int column);  // force_, b_

  SystemEvaluator& evaluator_;
  const Stabilization& stabilization_;
  KineticRows& rows_;
  Layout n_;
  SparseTerms terms_;
  SystemEvaluator::Jacobian blocks_;
  Acceleration column_;
  Eigen::VectorXd b_, force_;
};

}  // namespace armature::internal
