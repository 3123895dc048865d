#include "dynamics/proximal.hpp"

#include <cmath>
#include <limits>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void Proximal::resize(int nv, int m) {
  rows.resize(nv, m);
  Y.setZero(nv, m), S.setZero(m, m);
  force.setZero(nv), dvdot.setZero(nv), best_vdot.setZero(nv);
  error.setZero(m), dlambda.setZero(m), best_lambda.setZero(m);
  llt_M.compute(MatrixXd::Identity(nv, nv));
  llt_S.compute(MatrixXd::Identity(m, m));
}

// Both residuals as accelerations in the kinetic metric, so that their sum does not depend on units.
double Proximal::residuals(const Terms& terms, const VectorXd& b, const Acceleration& acceleration) {
  force = terms.f;
  force.noalias() -= terms.M * acceleration.vdot;
  force.noalias() -= terms.Phi.transpose() * acceleration.lambda;
  error = b;
  error.noalias() -= terms.Phi * acceleration.vdot;
  dvdot = force;
  llt_M.matrixL().solveInPlace(dvdot);
  double sum = dvdot.squaredNorm();
  for (int i = 0; i < error.size(); ++i) sum += error[i] * error[i] / (rows.scale(i) * rows.scale(i));
  return sum;
}

void Proximal::solve(const Terms& terms, const VectorXd& b, Acceleration& acceleration) {
  acceleration.ok = rows.factor(terms);
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;

  llt_M.compute(terms.M);
  for (int i = 0; i < Y.cols(); ++i) {
    Y.col(i) = terms.Phi.row(i).transpose();
    llt_M.solveInPlace(Y.col(i));
  }
  S.noalias() = terms.Phi * Y;
  S.diagonal().array() += relative_mu * S.trace() / static_cast<double>(S.rows());
  llt_S.compute(S);

  acceleration.vdot.setZero();
  acceleration.lambda.setZero();
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= iterations; ++k) {
    const double now = residuals(terms, b, acceleration);
    if (!(now < 0.25 * best)) {
      if (!(now < best)) acceleration.vdot = best_vdot, acceleration.lambda = best_lambda;
      break;
    }
    best = now, best_vdot = acceleration.vdot, best_lambda = acceleration.lambda;
    // dlambda = S^-1 (Phi M^-1 force - error),  dvdot = M^-1 (force - Phi' dlambda)
    llt_M.solveInPlace(force);
    dlambda.noalias() = terms.Phi * force;
    dlambda -= error;
    llt_S.solveInPlace(dlambda);
    acceleration.vdot += force;
    acceleration.vdot.noalias() -= Y * dlambda;
    acceleration.lambda += dlambda;
  }

  if (rows.rank() < rows.rows()) {
    force = terms.f;
    force.noalias() -= terms.M * acceleration.vdot;
    rows.multipliers(force, acceleration.lambda);
  }
  acceleration.ok = std::isfinite(best);
}

}  // namespace armature::internal
