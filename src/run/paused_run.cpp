#include "run/paused_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/interruption.hpp"
#include "observe/observer.hpp"

namespace armature::internal {

PausedRun::PausedRun(Prepared prepared, Recorder* recorder)
    : prepared_(std::move(prepared)), parameters_(prepared_.parameters) {
  if (recorder)
    watcher_ = std::make_unique<Observer>(prepared_, *recorder, Observer::Thread::run);
  else
    watcher_ = std::make_unique<EventLister>(prepared_);
  make_engine();
}

PausedRun::~PausedRun() = default;

// Step sizes, sizes of the machine and sides of singular poses are memories of a motion: another one begins without them, so that it has
// the same bits whatever was computed before.
void PausedRun::make_engine() {
  rows_.reset();
  solver_ = {};
  dynamics_ = make_dynamics(prepared_);
  solver_ = make_solver(prepared_, *dynamics_);
  rows_.emplace(*dynamics_, row_,
                solver_.index2 ? RecordedRows::Known::without_constraint_work : RecordedRows::Known::all);
  rows_->begin(prepared_.start);
}

// The run begins with its first piece: what is sampled at the start follows the inputs that were set before.
void PausedRun::begin() {
  prepared_.parameters = parameters_;
  dynamics_->evaluator().set_parameters(parameters_);
  if (solver_.index2) solver_.index2->set_parameters(parameters_);
  rows_->begin(prepared_.start);
  run_ = std::make_unique<Run>(prepared_, *watcher_, *dynamics_, *solver_.integrator, solver_.index2.get(), warn_);
}

void PausedRun::take_inputs() {
  if (parameters_ == prepared_.parameters) return;
  prepared_.parameters = parameters_;
  rows_->receive(run_->set_parameters(parameters_));
}

void PausedRun::go_on(double until) {
  row_is_known_ = false;
  if (run_) {
    run_->motion().pause_at(until);
    take_inputs();
    run_->motion().resume();
    return;
  }
  begin();
  run_->motion().pause_at(until);
  run_->begin();
}

bool PausedRun::take_step() {
  outcome_ = run_->step({});
  return !outcome_;
}

bool PausedRun::advance(double t) {
  if (outcome_) return false;
  if (!(t > state().t)) return true;  // samples of this instant wait for inputs that are still to be set
  go_on(t);
  while (run_->t() < t)
    if (interrupted()) {
      outcome_ = run_->end_stopped();
      return false;
    } else if (!take_step()) {
      return outcome_->status == RunStatus::finished;
    }
  return true;
}

bool PausedRun::advance_to_event(double t) {
  if (outcome_) return false;
  const std::size_t before = run_ ? run_->events().size() : 0;
  while (state().t < t) {
    go_on(t);  // takes the samples that are due here
    run_->motion().changes().end_steps_at_events();
    const double sample = run_->motion().next_sample();
    run_->motion().pause_at(std::min(t, sample));
    if (!take_step()) return outcome_->status == RunStatus::finished;
    const bool at_event = run_->motion().last().change.kind == step::ChangeKind::event;
    if (run_->events().size() > before || at_event || state().t >= sample) return true;
  }
  return true;
}

bool PausedRun::step(double until) {
  if (outcome_) return false;
  if (!(state().t < until)) return true;
  go_on(until);
  return take_step();
}

void PausedRun::set_parameter(int index, double value) {
  parameters_[index] = value;
  row_is_known_ = false;
}

void PausedRun::set_state(const State& state) {
  prepared_.start = state;
  run_.reset();
  outcome_.reset();
  make_engine();
  row_is_known_ = false;
}

// Comparisons as the run will begin with; samples wait for it.
void PausedRun::settle_at_start(State& shown) {
  dynamics_->evaluator().set_parameters(parameters_);
  if (solver_.integrator->error_controlled()) {
    Comparisons comparisons(*dynamics_, shown, prepared_.options.rtol);
    comparisons.begin();
  }
  dynamics_->set_state(shown);
  std::vector<RunEvent> events;  // the run has them when it begins
  Contacts(*dynamics_, shown, {prepared_.options.rtol, prepared_.options.atol, prepared_.options.sequential_impacts})
      .begin(events);
  dynamics_->set_state(shown);
  rows_->begin(shown);
}

const std::vector<double>& PausedRun::values() {
  if (row_is_known_) return row_.values;
  if (run_ && !outcome_) take_inputs();
  if (run_) {
    rows_->write(state().t, state().x);
  } else {
    State shown = prepared_.start;
    settle_at_start(shown);
    rows_->write(shown.t, shown.x);
    dynamics_->set_state(prepared_.start);
  }
  row_is_known_ = true;
  return row_.values;
}

std::vector<RunEvent> PausedRun::events() const {
  if (outcome_) return outcome_->events;
  return run_ ? merged(watcher_->events(), run_->events()) : std::vector<RunEvent>();
}

const Outcome& PausedRun::finish() { return end(RunStatus::finished, fmt::format("ended at t = {:g} s", state().t)); }

const Outcome& PausedRun::fail(const std::string& why) {
  return end(RunStatus::failed, fmt::format("failed at t = {:.6g} s: {}", state().t, why));
}

const Outcome& PausedRun::stop(const std::string& why) {
  return end(RunStatus::stopped, fmt::format("stopped at t = {:.6g} s: {}", state().t, why));
}

const Outcome& PausedRun::end(RunStatus status, const std::string& sentence) {
  if (outcome_) return *outcome_;
  if (!run_) go_on(prepared_.start.t);
  take_inputs();
  outcome_ = run_->end(status, sentence);
  return *outcome_;
}

}  // namespace armature::internal
