#include "dynamics/acceleration_solver.hpp"

#include <cmath>

namespace armature::internal {

namespace {

using Numbers = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

AccelerationSolver::AccelerationSolver(SystemEvaluator& evaluator, const FormulationOptions& formulation,
                                       const Stabilization& stabilization)
    : evaluator_(evaluator),
      stabilization_(stabilization),
      formulation_(formulation, evaluator.system().layout().nv, evaluator.system().layout().m),
      traced_(formulation_.is_auto() && evaluator.system().options().traced_solve),
      terms_(evaluator.make_sparse_terms()),
      acceleration_(evaluator.system().layout().nv, evaluator.system().layout().m) {
  const Layout& n = evaluator.system().layout();
  formulation_.set_groups(row_groups(evaluator.system().equations()));
  if (!formulation_.is_auto()) dense_terms_ = evaluator.make_terms();
  b_ = Eigen::VectorXd::Zero(n.m);
  force_ = Eigen::VectorXd::Zero(n.nv);
  qdot_ = Eigen::VectorXd::Zero(n.nq);
  zdot_ = Eigen::VectorXd::Zero(n.nz);
}

bool AccelerationSolver::solve() {
  if (traced_ && solve_traced()) return true;
  if (traced_) ++dense_;
  return formulation_.is_auto() ? solve_with(terms_) : solve_with(dense_terms_);
}

bool AccelerationSolver::solve_traced() {
  const Layout& n = evaluator_.system().layout();
  const SystemEvaluator::Traced traced = evaluator_.acceleration(stabilization_.alpha, stabilization_.beta);
  if (!(traced.ratio >= Regularity::squared(Regularity::singular)) || !Numbers(traced.vdot, n.nv).allFinite())
    return false;
  take_traced(traced.vdot, traced.lambda, traced.ratio);
  qdot_ = Numbers(traced.qdot, n.nq);
  zdot_ = Numbers(traced.zdot, n.nz);
  return true;
}

void AccelerationSolver::take_traced(const double* vdot, const double* lambda, double ratio) {
  const std::vector<int>& rows = evaluator_.system().options().independent_rows;
  acceleration_.vdot = Numbers(vdot, acceleration_.vdot.size());
  if (static_cast<Eigen::Index>(rows.size()) < acceleration_.lambda.size()) acceleration_.lambda.setZero();
  for (std::size_t k = 0; k < rows.size(); ++k) acceleration_.lambda[rows[k]] = lambda[k];
  acceleration_.rank = static_cast<int>(rows.size());
  acceleration_.smallest = std::sqrt(ratio);
  acceleration_.ok = true;
}

void AccelerationSolver::take(const Acceleration& other) {
  acceleration_.vdot = other.vdot, acceleration_.lambda = other.lambda;
  evaluator_.all(terms_);
  zdot_ = terms_.zdot;
  add_constraint_work(terms_);
}

template <class Matrix>
bool AccelerationSolver::solve_with(TermsOf<Matrix>& terms) {
  evaluator_.all(terms);
  b_ = terms.gamma - stabilization_.alpha * terms.phidot - stabilization_.beta * terms.phi;
  formulation_.solve(terms, b_, acceleration_);
  qdot_ = terms.qdot;
  zdot_ = terms.zdot;
  add_constraint_work(terms);
  return acceleration_.ok;
}

// Power of constraints: -lambda' Phi v = lambda' phi_t - lambda' phidot; the second is the work of Baumgarte's method.
template <class Matrix>
void AccelerationSolver::add_constraint_work(const TermsOf<Matrix>& terms) {
  const Equations& e = evaluator_.system().equations();
  const bool pulled = stabilization_.alpha != 0 || stabilization_.beta != 0;
  const double off = pulled ? acceleration_.lambda.dot(terms.phidot) : 0;
  if (e.stabilization_work >= 0) zdot_[e.stabilization_work] -= off;
  if (e.constraint_work < 0) return;
  zdot_[e.constraint_work] += off;
  const Layout& n = evaluator_.system().layout();
  b_.noalias() = terms.Phi * Numbers(evaluator_.inputs() + n.v(), n.nv);
  zdot_[e.constraint_work] -= acceleration_.lambda.dot(b_);
}

void AccelerationSolver::write_rates(double* xdot) const {
  Eigen::Map<Eigen::VectorXd> result(xdot, qdot_.size() + acceleration_.vdot.size() + zdot_.size());
  result << qdot_, acceleration_.vdot, zdot_;
}

bool AccelerationSolver::take_least_multipliers(KineticRows& rows) {
  evaluator_.all(terms_);
  if (!rows.factor(terms_)) return false;
  force_ = terms_.f;
  force_.noalias() -= terms_.M * acceleration_.vdot;
  rows.multipliers(force_, acceleration_.lambda);
  return true;
}

}  // namespace armature::internal
