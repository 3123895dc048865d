#include "dynamics/acceleration_jacobian.hpp"

#include "expression/interruption.hpp"

namespace armature::internal {

AccelerationJacobian::AccelerationJacobian(SystemEvaluator& evaluator, const Stabilization& stabilization,
                                           KineticRows& rows)
    : evaluator_(evaluator),
      stabilization_(stabilization),
      rows_(rows),
      n_(evaluator.system().layout()),
      column_(n_.nv, n_.m) {
  b_ = Eigen::VectorXd::Zero(n_.m);
  force_ = Eigen::VectorXd::Zero(n_.nv);
}

// The blocks are made when they are first asked for: of a large machine they take hundreds of megabytes, and only implicit
// steps need them.
bool AccelerationJacobian::differentiate(double t, const double* x) {
  if (blocks_.r_v.size() == 0) blocks_ = evaluator_.make_jacobian(), terms_ = evaluator_.make_sparse_terms();
  evaluator_.set(t, x);
  evaluator_.all(terms_);
  b_ = terms_.gamma - stabilization_.alpha * terms_.phidot - stabilization_.beta * terms_.phi;
  if (!rows_.factor(terms_)) return false;
  rows_.solve(terms_.f, b_, column_.vdot, column_.lambda);
  evaluator_.jacobian(column_.vdot, column_.lambda, blocks_);
  return true;
}

void AccelerationJacobian::take_side(int k) {
  const double alpha = stabilization_.alpha, beta = stabilization_.beta;
  const SystemEvaluator::Jacobian& j = blocks_;
  b_.setZero();
  if (k < n_.nq) {
    force_ = -j.r_q.col(k);
    b_ = j.gamma_q.col(k) - alpha * j.phidot_q.col(k) - beta * j.phi_q.col(k);
  } else if (k < n_.nq + n_.nv) {
    force_ = -j.r_v.col(k - n_.nq);
    b_ = j.gamma_v.col(k - n_.nq) - alpha * j.phidot_v.col(k - n_.nq);
  } else {
    force_ = -j.r_z.col(k - n_.nq - n_.nv);
  }
}

bool AccelerationJacobian::operator()(double t, const double* x, Eigen::MatrixXd& J) {
  constexpr long solve_operations = 200;  // of a sparse solve, for each velocity and row
  if (!evaluator_.system().options().jacobian || !differentiate(t, x)) return false;
  const SystemEvaluator::Jacobian& j = blocks_;
  J.setZero(n_.nx(), n_.nx());
  J.topLeftCorner(n_.nq, n_.nq) = j.qdot_q;
  J.block(0, n_.nq, n_.nq, n_.nv) = j.qdot_v;
  J.bottomLeftCorner(n_.nz, n_.nq) = j.zdot_q;
  J.block(n_.nq + n_.nv, n_.nq, n_.nz, n_.nv) = j.zdot_v;
  J.bottomRightCorner(n_.nz, n_.nz) = j.zdot_z;
  for (int k = 0; k < n_.nx(); ++k) {
    if (interrupted_after(solve_operations * (n_.nv + n_.m))) return false;
    take_side(k);
    rows_.solve(force_, b_, column_.vdot, column_.lambda);
    J.col(k).segment(n_.nq, n_.nv) = column_.vdot;
  }
  return J.allFinite();
}

}  // namespace armature::internal
