#include "observe/observer.hpp"

namespace armature::internal {

Observer::Observer(const Prepared& prepared, Recorder& recorder, Thread thread, Observation::Lists lists)
    : prepared_(prepared), recorder_(recorder), lists_(lists) {
  if (thread == Thread::beside && ObservationThread::possible(prepared)) beside_.emplace(prepared, recorder, lists);
}

void Observer::begin(Dynamics& dynamics, const Integrator& integrator, const State& state) {
  dynamics_ = &dynamics;
  if (beside_) return beside_->begin(dynamics, integrator, state);
  observation_.emplace(prepared_, dynamics, recorder_, lists_);
  observation_->begin(state);
}

bool Observer::step(const Integrator& integrator, double until) {
  const double pivot = dynamics_->acceleration().smallest;
  if (beside_)
    beside_->add(until, pivot, anew_);
  else
    observation_->see(integrator, until, pivot, anew_);
  anew_ = false;
  return true;
}

void Observer::receive(double work) {
  if (observation_) observation_->receive(work);
}

std::vector<RunEvent> Observer::events() const {
  return observation_ ? observation_->events() : std::vector<RunEvent>();
}

void Observer::report(Outcome& outcome) {
  if (beside_)
    beside_->finish(outcome);
  else
    observation_->report(outcome);
}

}  // namespace armature::internal
