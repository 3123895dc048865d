// Proximal multipliers: the regularized system
//
//   [ M    Phi' ] [ dvdot   ]   [ f - M vdot - Phi' lambda ]
//   [ Phi  -mu  ] [ dlambda ] = [ b - Phi vdot             ]
//
// solved by its Schur complement S = Phi M^-1 Phi' + mu E, which is positive definite whatever the rank, and repeated
// on the residuals of both equations until they stop falling. mu is 1e-10 of the mean diagonal of Phi M^-1 Phi'.
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <memory>

#include "dynamics/formulation_solver.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class Proximal final : public FormulationSolver {
 public:
  double relative_mu = 1e-10;
  int iterations = 10;  // at most; 2 or 3 as a rule

  void resize(int nv, int m) override;
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override;

  Eigen::MatrixXd Y, S;  // M^-1 Phi', Phi M^-1 Phi' + mu E
  Eigen::VectorXd force, error, dvdot, dlambda, best_vdot, best_lambda;
  Eigen::LLT<Eigen::MatrixXd> llt_M, llt_S;

 private:
  double residuals(const Terms& terms, const Eigen::VectorXd& b, const Acceleration& acceleration);
};

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

}  // namespace

std::unique_ptr<FormulationSolver> make_proximal_formulation(const FormulationOptions&, int, int) {
  return std::make_unique<Proximal>();
}

}  // namespace armature::internal
