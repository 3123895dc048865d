#include "run/step_stops.hpp"

#include <algorithm>

#include "system/table_stops.hpp"

namespace armature::internal {

StepStops::StepStops(const Prepared& prepared, Dynamics& dynamics, Integrator& integrator,
                     std::shared_ptr<const WatchedTerms> terms)
    : dynamics_(dynamics),
      integrator_(integrator),
      at_tables_(integrator.error_controlled() && has_table_stops(prepared.system->equations())),
      lookups_(static_cast<Eigen::Index>(prepared.system->equations().lookups.size())),
      tables_(static_cast<int>(lookups_.size()), lookups_.data(), memory_),
      force_(memory_) {
  if (!prepared.options.finds_short_forces) return;
  if (!terms) terms = std::make_shared<const WatchedTerms>(*prepared.system);
  if (terms->program) forces_.emplace(prepared, dynamics, std::move(terms));
}

const double* StepStops::look(double t, const double* x) {
  dynamics_.evaluator().set(t, x);
  return dynamics_.evaluator().next_stop();
}

double StepStops::stop(const State& state) {
  const double force = force_.stop(state.t);
  if (!at_tables_) return force;
  return std::min(tables_.stop(state.t, [&](double t) { return look(t, state.x.data()); }), force);
}

bool StepStops::hide(const State& state) {
  const auto inside = [&](double t) {
    if (t < integrator_.t()) integrator_.interpolate(t, x_);
    return look(t, t < integrator_.t() ? x_.data() : integrator_.x().data());
  };
  return (at_tables_ && tables_.hide(state.t, integrator_.t(), inside)) || hides_force(state);
}

// Steps of one length are not taken again.
bool StepStops::hides_force(const State& state) {
  if (!forces_) return false;
  if (!integrator_.error_controlled()) return forces_->look(integrator_, state.x), false;
  return force_.take(forces_->find(integrator_, state.x), state.t, integrator_.t());
}

void StepStops::report(Outcome& outcome) const {
  if (forces_) forces_->report(outcome);
}

}  // namespace armature::internal
