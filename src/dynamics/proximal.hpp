// Proximal multipliers: the regularized system
//
//   [ M    Phi' ] [ dvdot   ]   [ f - M vdot - Phi' lambda ]
//   [ Phi  -mu  ] [ dlambda ] = [ b - Phi vdot             ]
//
// solved by its Schur complement S = Phi M^-1 Phi' + mu E, which is positive definite whatever the rank, and repeated
// on the residuals of both equations until they stop falling. mu is 1e-10 of the mean diagonal of Phi M^-1 Phi'.
#pragma once

#include <Eigen/Cholesky>

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct Proximal {
  double relative_mu = 1e-10;
  int iterations = 10;  // at most; 2 or 3 as a rule

  void resize(int nv, int m);
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);

  KineticRows rows;      // the rank that is reported, and the multipliers of least norm where rows are dependent
  Eigen::MatrixXd Y, S;  // M^-1 Phi', Phi M^-1 Phi' + mu E
  Eigen::VectorXd force, error, dvdot, dlambda, best_vdot, best_lambda;
  Eigen::LLT<Eigen::MatrixXd> llt_M, llt_S;

 private:
  double residuals(const Terms& terms, const Eigen::VectorXd& b, const Acceleration& acceleration);
};

}  // namespace armature::internal
