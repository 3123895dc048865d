#include "study/motion_checks.hpp"

namespace armature::internal {

void MotionChecks::begin(Dynamics& dynamics, const State& start, bool knows_constraint_work) {
  dynamics_ = &dynamics;
  steps_ = 0;
  const System& system = dynamics.system();
  if (!balance_) balance_.emplace(system, knows_constraint_work);
  energy_ = balance_;
  gaps_.emplace(system.equations());
  laws_.emplace(dynamics);
  terms_ = dynamics.evaluator().make_sparse_terms();
  evaluate(start.t, start.x);
  energy_->begin(observables_, start.x);
}

void MotionChecks::evaluate(double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_->evaluator();
  evaluator.set(t, x.data());
  evaluator.set_outcomes(dynamics_->weights());
  evaluator.motion(terms_);
  evaluator.observables(observables_);
}

void MotionChecks::look(double t, const Eigen::VectorXd& x) {
  evaluate(t, x);
  if (energy_->possible()) energy_->look(observables_, x);
  if (terms_.phi.size() > 0) gaps_->look(t, x.data(), terms_);
  laws_->look(t, x);
}

void MotionChecks::report(Outcome& outcome) {
  if (!dynamics_) return;
  look(outcome.last.t, outcome.last.x);
  outcome.statistics.energy_error = energy_->largest_error();
  outcome.statistics.energy_size = energy_->size();
  outcome.statistics.stabilization_work = energy_->largest_stabilization();
  outcome.statistics.gap = gaps_->worst();
  laws_->report(outcome);
}

}  // namespace armature::internal
