#include "run/run_motion.hpp"

#include <algorithm>

#include "model/findings.hpp"
#include "prepare/start_touches.hpp"

namespace armature::internal {

RunMotion::RunMotion(const Prepared& prepared, StepWatcher& watcher, Dynamics& dynamics, Integrator& integrator,
                     Index2* index2, Warn warn, std::shared_ptr<const WatchedTerms> terms)
    : prepared_(prepared),
      state_(prepared.start),
      dynamics_(dynamics),
      integrator_(integrator),
      index2_(index2),
      watcher_(watcher),
      changes_(prepared, dynamics, integrator, state_, watcher),
      stops_(prepared, dynamics, integrator, std::move(terms)),
      checks_(prepared, dynamics, integrator, std::move(warn)),
      samples_(prepared.system->equations(), prepared.start.t),
      follows_steps_(std::ranges::any_of(prepared.system->equations().discrete, &Discrete::follows_steps)),
      end_(prepared.options.last_time()) {}

void RunMotion::begin() {
  dynamics_.follow_roots(!integrator_.error_controlled());
  dynamics_.engine().project_stages(integrator_.error_controlled());
  outcome_.findings = prepared_.findings;
  if (changes_.comparisons().any() && !integrator_.error_controlled())
    outcome_.findings.push_back(finding<FindingCode::comparison>("integrator"_a = prepared_.options.integrator));
  take_samples();
  changes_.begin(outcome_);
  // a run that goes on from another may begin inside a bounce
  if (state_.t == 0)
    if (auto sudden = sudden_start(start_touches(dynamics_.evaluator(), state_, prepared_.options.end)))
      outcome_.findings.push_back(*std::move(sudden));
  restart();
  if (prepared_.options.projection) dynamics_.engine().begin_projection(state_.t, state_.x.data());
  checks_.begin(state_);
  watcher_.begin(dynamics_, integrator_, state_);
}

// ---- the phases of a step

double RunMotion::stop() { return std::min({end_, samples_.next(), stops_.stop(state_)}); }

step::Tried<1> RunMotion::attempt(bool) {
  last_ = {};
  last_.status = integrator_.step(stop());
  return {last_.status == StepStatus::ok, last_.status != StepStatus::ok};
}

bool RunMotion::show_all(bool) {
  if (!stops_.hide(state_)) return true;
  start_integrator();
  return false;
}

bool RunMotion::find_changes(bool) { return last_.change = changes_.find(), true; }

bool RunMotion::watch(bool) {
  last_.enough = !watcher_.step(integrator_, last_.change.before(integrator_.t()));
  return true;
}

bool RunMotion::move(bool) {
  const double until = last_.change.before(integrator_.t());
  if (until < integrator_.t()) {
    integrator_.interpolate(until, state_.x);
    dynamics_.project_if_possible(until, state_.x.data());
  } else {
    state_.x = integrator_.x();
  }
  state_.t = until;
  checks_.look(state_, last_.change.any(), end_, outcome_);
  return true;
}

bool RunMotion::follow(bool) {
  if (!follows_steps_) return true;
  dynamics_.evaluator().set(state_.t, state_.x.data());
  dynamics_.evaluator().next_discrete(state_.d);
  set_state();
  return true;
}

bool RunMotion::settle(bool) {
  last_.anew = last_.change.any();
  if (last_.change.any()) {
    changes_.settle(last_.change, outcome_);
    restart();
  }
  if (take_due_samples()) last_.anew = true;
  return true;
}

// ---- what is held, and where steps begin anew

// With fixed steps nothing holds the outcomes of comparisons: they are those of the time of the sample.
void RunMotion::take_samples() {
  if (dynamics_.comparisons().follows_roots()) dynamics_.comparisons().take_signs(state_.t, state_.x.data());
  samples_.take(state_, dynamics_.evaluator());
}

bool RunMotion::take_due_samples() {
  if (!(state_.t < end_) || !samples_.due(state_.t)) return false;
  change_held([&] {
    watcher_.sampling(samples_);
    take_samples();
  });
  return true;
}

void RunMotion::resume() {
  take_due_samples();
  if (!started_) start_integrator();
}

void RunMotion::set_state() {
  dynamics_.set_state(state_);
  if (index2_) index2_->set_state(state_);
}

void RunMotion::restart() {
  set_state();
  watcher_.restarted();
  changes_.forget();
  started_ = false;
  if (state_.t < end_) start_integrator();
}

void RunMotion::start_integrator() {
  integrator_.start(state_.t, state_.x);
  started_ = true;
}

}  // namespace armature::internal
