// How a motion changes with what is free: the columns of S = (dx, dd, dp), one for each direction in the free parameters. dx follows the
// forward sensitivity equations
//
//   dx' = f_x dx + f_d dd + f_p dp
//
// along the computed motion; discrete values dd are held, and dp never changes. With the residuals r = M a + Phi' lambda - f and
// c = phi'' + alpha phi' + beta phi, a and lambda being unknowns of their own, a direction changes the acceleration by
//
//   [ M   Phi' ] [ da      ]     [ dr ]
//   [ Phi      ] [ dlambda ] = - [ dc ]
//
// where the right side is the exact derivative of the expressions along the direction (directional.hpp): no differences are taken, and the
// linear solve is not differentiated. All columns share one factorization.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>

#include "dynamics/configuration.hpp"
#include "linear/kinetic_rows.hpp"
#include "sensitivity/directional.hpp"
#include "system/system.hpp"

namespace armature::internal {

// Why there are none: a sentence without its subject. Empty: the equations are smooth between times that are fixed.
std::string why_no_sensitivity(const Equations& equations);

// Made once (it writes expressions into the graph), then copied, one per thread.
class MotionSensitivity {
 public:
  MotionSensitivity(const std::shared_ptr<const System>& system, double alpha, double beta);

  const Layout& layout() const { return n_; }
  int rows() const { return n_.nx() + n_.nd + n_.np; }  // of S
  const System& system() const { return evaluator_.system(); }
  Eigen::MatrixXd unit_directions() const;  // S with a column for each free parameter, dx = 0 and dd = 0

  void set_parameters(const Eigen::VectorXd& parameters);

  // The motion here: accelerations and factors. False: it has none.
  bool set(const State& state);
  const Eigen::VectorXd& xdot() const { return xdot_; }  // nx
  // At the state that was set.
  bool rate(const Eigen::MatrixXd& S, Eigen::MatrixXd& rate);  // nx rows; false: not finite
  void make_tangent(Eigen::MatrixXd& S);                       // to phi = 0 and phidot = 0

 private:
  Layout n_;
  double alpha_, beta_;
  SystemEvaluator evaluator_;
  Configuration configuration_;
  Directional rates_;        // r, c, qdot, zdot
  Directional constraints_;  // phi, phidot
  KineticRows rows_;
  Terms terms_;
  State state_;
  Eigen::VectorXd b_, vdot_, lambda_, xdot_, solution_, dvdot_, dlambda_, force_, residual_, correction_, dq_;
  Eigen::MatrixXd changes_, open_;
};

}  // namespace armature::internal
