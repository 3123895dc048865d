#include "run/run_changes.hpp"

#include <fmt/format.h>

#include "model/findings.hpp"
#include "step/methods.hpp"

namespace armature::internal {

namespace {

constexpr int many_flutters = 1000;  // changes in a row that only round-off decides

step::EventTime time_of(const std::optional<double>& t) { return {t.has_value(), t.value_or(0)}; }

}  // namespace

RunChanges::RunChanges(const Prepared& prepared, Dynamics& dynamics, const Integrator& integrator, State& state,
                       StepWatcher& watcher)
    : options_(prepared.options),
      dynamics_(dynamics),
      integrator_(integrator),
      state_(state),
      watcher_(watcher),
      comparisons_(dynamics, state, prepared.options.rtol),
      contacts_(dynamics, state, {prepared.options.rtol, prepared.options.atol, prepared.options.sequential_impacts}),
      impacts_(prepared, dynamics),
      located_(comparisons_.any() && integrator.error_controlled()) {}

// Comparisons may depend on what contacts make of the start.
void RunChanges::begin(Outcome& outcome) {
  if (!watcher_.wants_words()) comparisons_.be_quiet();
  if (located_) comparisons_.begin();
  dynamics_.set_state(state_);
  broken_ = contacts_.begin(outcome.events);
  if (contacts_.any() && located_) comparisons_.begin();
}

void RunChanges::end_steps_at_events() {
  if (events_) return;
  events_.emplace(dynamics_);
  if (events_->any()) events_->begin(state_.t, state_.x);
}

step::Change RunChanges::find() { return find(located_ ? comparisons_.find_change(integrator_) : std::nullopt); }

step::Change RunChanges::find(std::optional<double> of_comparison) {
  using enum step::ChangeKind;
  step::Change first;
  first.take(comparison, time_of(of_comparison));
  if (contacts_.any()) first.take(contact, time_of(contacts_.find_change(integrator_, first.before(integrator_.t()))));
  if (events_ && events_->any()) first.take(event, time_of(find_event(first.before(integrator_.t()))));
  return first;
}

// A step that begins at an event leaves it out: round-off may show it once more.
std::optional<double> RunChanges::find_event(double until) {
  constexpr double same_time = 1e-9;  // of a step
  const double began = state_.t + same_time * (integrator_.t() - integrator_.previous_t());
  std::vector<RunEvent> found;
  events_->find(integrator_, until, found);
  for (const RunEvent& event : found)
    if (event.t > began) return event.t;
  return std::nullopt;
}

void RunChanges::settle(const step::Change& found, Outcome& outcome) {
  if (found.kind == step::ChangeKind::event) return events_->begin(state_.t, state_.x);
  contact_changed_last_ = found.kind == step::ChangeKind::contact;
  watcher_.changing();
  contact_changed_last_ ? change_contacts(outcome) : change_outcomes(outcome);
}

void RunChanges::change_outcomes(Outcome& outcome) {
  impacts_.before(state_);
  for (RunEvent& event : comparisons_.change()) outcome.events.push_back(std::move(event));
  broken_ = impacts_.after(state_, outcome.events);
  if (!flutter_is_known_) look_for_flutter(outcome);
}

// Comparisons of velocities jump with them.
void RunChanges::change_contacts(Outcome& outcome) {
  const auto change = [&] { broken_ = contacts_.change(outcome.events); };
  if (located_)
    comparisons_.jump_with(change);
  else
    change(), dynamics_.set_state(state_);
  watcher_.contacts_changed(contacts_.impulses());
}

void RunChanges::look_for_flutter(Outcome& outcome) {
  const std::optional<std::string> comparison = comparisons_.fluttering(many_flutters);
  if (!comparison) return;
  flutter_is_known_ = true;
  outcome.findings.push_back(
      finding<FindingCode::chattering>("t"_a = state_.t, "comparison"_a = *comparison, "changes"_a = many_flutters));
}

void RunChanges::forget() {
  comparisons_.forget_beginning();
  contacts_.forget();
}

std::string RunChanges::endless() const {
  if (contact_changed_last_)
    return fmt::format(
        "contacts keep changing at t = {:.10g} s, the last of them {}; try a larger tolerance (rtol is {:g}), or give "
        "the "
        "contact a stiffness",
        state_.t, contacts_.last_changed(), options_.rtol);
  return fmt::format(
      "comparisons keep changing at t = {:.10g} s, the last in {}; make the formula smooth there, or try {}", state_.t,
      comparisons_.last_settled(),
      options_.integrator == step::usual_method ? fmt::format("a larger tolerance (rtol is {:g})", options_.rtol)
                                                : std::string(step::usual_method));
}

Findings RunChanges::findings() const {
  Findings findings = impacts_.findings();
  append(contacts_.findings(), findings);
  return findings;
}

}  // namespace armature::internal
