#include "observe/motion_checks.hpp"

#include "integrate/integrator.hpp"

namespace armature::internal {

MotionChecks::MotionChecks(const Prepared& prepared)
    : limits_currents_(!prepared.current_limits.empty() && takes_fixed_steps(prepared.options.integrator)),
      // such a method does not know the work of constraints
      energy_(*prepared.system, !method_of(prepared.options.integrator).own_dae),
      negative_friction_(*prepared.system),
      finite_(prepared.system->equations()),
      frictions_(frictions_that_may_be_held(prepared.system->equations())) {}

void MotionChecks::begin(const Prepared& prepared, Dynamics& dynamics, const State& start) {
  dynamics_ = &dynamics;
  steps_ = 0;
  gaps_.emplace(dynamics.system().equations());
  laws_.emplace(dynamics);
  held_friction_.emplace(dynamics, frictions_);
  comparisons_.emplace(prepared, dynamics);
  peaks_.reset();
  if (limits_currents_) peaks_.emplace(dynamics).begin(start.t, start.x);
  terms_ = dynamics.evaluator().make_sparse_terms();
  evaluate(start.t, start.x);
  energy_.begin(values_, start.x);
  negative_friction_.begin(start.x, prepared.options.atol);
  finite_.begin();
  finite_.look(start.t, values_);
  comparisons_->begin(start.t, start.x);
  held_friction_->begin(start, prepared.options.atol);
  held_friction_->look(start.t, start.x);
  laws_->look(start.t, start.x);
}

void MotionChecks::evaluate(double t, const Eigen::VectorXd& x) {
  SystemEvaluator& evaluator = dynamics_->evaluator();
  evaluator.set(t, x.data());
  evaluator.set_outcomes(dynamics_->weights());
  evaluator.motion(terms_);
  evaluator.observables(values_);
}

void MotionChecks::look(double t, const Eigen::VectorXd& x) {
  evaluate(t, x);
  look(t, x, terms_, values_);
}

void MotionChecks::look(double t, const Eigen::VectorXd& x, const SparseTerms& terms, const Observables& values) {
  if (energy_.possible()) energy_.look(values, x);
  if (terms.phi.size() > 0) gaps_->look(t, x.data(), terms);
  negative_friction_.look(t, x, values.kinetic, dynamics_->weights());
  finite_.look(t, values);
  comparisons_->look(t, x);
  held_friction_->look(t, x);
  laws_->look(t, x);
}

void MotionChecks::step(const Integrator& integrator, double until) {
  if (peaks_) peaks_->restart(), peaks_->find(integrator, until);
  comparisons_->pass(integrator, until);
  if (until < integrator.t()) return;
  if (step::is_checked(++steps_) || negative_friction_.is_due(integrator.x())) look(until, integrator.x());
}

void MotionChecks::finish(Outcome& outcome) {
  if (!dynamics_) return;
  look(outcome.last.t, outcome.last.x);
  if (peaks_) outcome.peaks = peaks_->peaks();
  report(outcome);
}

void MotionChecks::report(Outcome& outcome) const {
  outcome.statistics.energy_error = energy_.largest_error();
  outcome.statistics.energy_size = energy_.size();
  outcome.statistics.stabilization_work = energy_.largest_stabilization();
  outcome.statistics.gap = gaps_->worst();
  comparisons_->report(outcome);
  held_friction_->report(outcome);
  laws_->report(outcome);
  append(finite_.findings(), outcome.findings);
  append(negative_friction_.findings(), outcome.findings);
}

}  // namespace armature::internal
