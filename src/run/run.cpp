#include "run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/interruption.hpp"
#include "integrate/integrator.hpp"
#include "model/findings.hpp"
#include "prepare/start_touches.hpp"
#include "run/diagnose.hpp"
#include "run/judgement.hpp"
#include "run/passed_limits.hpp"
#include "run/step_limit.hpp"
#include "step/hidden_hump.hpp"
#include "system/table_stops.hpp"

namespace armature::internal {

namespace {

constexpr int many_flutters = 1000;  // changes in a row that only round-off decides

}  // namespace

Run::Run(const Prepared& prepared, StepWatcher& watcher, Dynamics& dynamics, Integrator& integrator, Index2* index2,
         Warn warn, std::shared_ptr<const WatchedTerms> terms)
    : prepared_(prepared),
      options_(prepared.options),
      state_(prepared.start),
      dynamics_(dynamics),
      integrator_(integrator),
      stiff_(prepared, integrator),
      index2_(index2),
      comparisons_(dynamics_, state_, prepared.options.rtol),
      contacts_(dynamics_, state_, {prepared.options.rtol, prepared.options.atol, prepared.options.sequential_impacts}),
      watcher_(watcher),
      follows_steps_(std::ranges::any_of(prepared.system->equations().discrete, &Discrete::follows_steps)),
      samples_(prepared.system->equations(), prepared.start.t),
      beam_errors_(prepared.beams),
      crawl_(prepared.start.t),
      chatter_(prepared.start.t, prepared.options.end),
      warn_(std::move(warn)),
      impacts_(prepared, dynamics),
      lookups_(static_cast<Eigen::Index>(prepared.system->equations().lookups.size())) {
  if (!options_.finds_short_forces) return;
  if (!terms) terms = std::make_shared<const WatchedTerms>(*prepared.system);
  if (terms->program) hidden_.emplace(prepared, dynamics, std::move(terms));
}

void Run::begin() {
  began_ = std::chrono::steady_clock::now();
  dynamics_.follow_roots(!integrator_.error_controlled());
  dynamics_.engine().project_stages(integrator_.error_controlled());
  outcome_.findings = prepared_.findings;
  if (!watcher_.wants_words()) comparisons_.be_quiet();
  if (comparisons_.any() && !integrator_.error_controlled())
    add(finding<FindingCode::comparison>("integrator"_a = options_.integrator));
  take_samples();
  if (integrator_.error_controlled()) comparisons_.begin();
  set_state();
  broken_ = contacts_.begin(outcome_.events);
  if (contacts_.any() && integrator_.error_controlled()) comparisons_.begin();
  look_at_touches();
  restart();
  if (options_.projection) dynamics_.engine().begin_projection(state_.t, state_.x.data());
  beam_errors_.look(state_.t, state_.x);
  watcher_.begin(dynamics_, integrator_, state_);
}

// A run that goes on from another may begin inside a bounce.
void Run::look_at_touches() {
  if (state_.t != 0) return;
  if (auto sudden = sudden_start(start_touches(dynamics_.evaluator(), state_, options_.end))) add(*std::move(sudden));
}

double Run::stop() {
  if (!(force_stop_ > state_.t)) force_stop_ = step::infinity;
  return std::min({pause(), samples_.next(), table_stop(), nearer_stop_, force_stop_});
}

bool Run::stops_at_tables() const {
  return integrator_.error_controlled() && has_table_stops(dynamics_.system().equations());
}

const double* Run::look_at_tables(double t, const double* x) {
  dynamics_.evaluator().set(t, x);
  return dynamics_.evaluator().next_stop();
}

double Run::table_stop() {
  if (!stops_at_tables()) return step::infinity;
  const double* tables = look_at_tables(state_.t, state_.x.data());
  std::copy_n(tables + 1, lookups_.size(), lookups_.data());
  return step::stop_beyond(state_.t, *tables);
}

bool Run::begins_again() {
  if (!hides_hump() && !hides_force()) return false;
  start_integrator();
  return true;
}

// Steps of one length are not taken again. One that was is at least halved.
bool Run::hides_force() {
  if (!hidden_) return false;
  if (!integrator_.error_controlled()) return hidden_->look(integrator_, state_.x), false;
  double stop = hidden_->find(integrator_, state_.x);
  if (stop == step::infinity) return false;
  if (force_stop_ < step::infinity) stop = std::min(stop, 0.5 * (state_.t + integrator_.t()));
  stop = step::stop_beyond(state_.t, stop);
  if (stop < step::infinity) force_stop_ = stop;
  return stop < step::infinity;
}

bool Run::hides_hump() {
  if (lookups_.size() == 0 || !stops_at_tables()) return false;
  const auto look = [&](double t) {
    if (t < integrator_.t()) integrator_.interpolate(t, looked_);
    return look_at_tables(t, t < integrator_.t() ? looked_.data() : integrator_.x().data()) + 1;
  };
  nearer_stop_ = step::end_before_hump(static_cast<int>(lookups_.size()), lookups_.data(), state_.t, integrator_.t(),
                                       nearer_stop_ < step::infinity, look);
  return nearer_stop_ < step::infinity;
}

void Run::resume() {
  if (state_.t < pause() && samples_.due(state_.t)) change_held([&] { sample(); });
  if (!started_) start_integrator();
}

double Run::set_parameters(const Eigen::VectorXd& parameters) {
  const double before = stored_energy();
  change_held([&] {
    dynamics_.evaluator().set_parameters(parameters);
    if (index2_) index2_->set_parameters(parameters);
  });
  const double work = stored_energy() - before;
  watcher_.receive(work);
  return work;
}

double Run::stored_energy() {
  dynamics_.evaluator().set(state_.t, state_.x.data());
  dynamics_.evaluator().set_outcomes(dynamics_.weights());
  return dynamics_.evaluator().energy();
}

std::optional<Outcome> Run::step(const Progress& progress) {
  if (std::optional<Outcome> outcome = end_if_broken()) return outcome;
  // the index-2 form holds outcomes as they are: it cannot find the weight of one that slides
  if (index2_ && comparisons_.sliding())
    return end(RunStatus::failed,
               fmt::format("at t = {:.10g} s friction or a comparison sticks, which ida cannot handle; "
                           "use dopri5 or cvode_bdf",
                           state_.t));
  do
    if (const StepStatus status = integrator_.step(stop()); status != StepStatus::ok) return fail(status);
  while (begins_again());
  finish_step();
  return conclude(progress);
}

void Run::finish_step() {
  std::optional<double> change;
  if (looks_for_changes()) change = comparisons_.find_change(integrator_);
  change = contact_before(change);
  const std::optional<double> event = event_before(change);
  ends_at_event_ = event.has_value();
  const std::optional<double> until = event ? event : change;
  watch(until);
  move_to(until);
  follow_step();
  if (event) {
    step_ends_->begin(state_.t, state_.x);
    restart();
  }
  settle(event ? std::nullopt : change);
}

void Run::end_steps_at_events() {
  if (step_ends_) return;
  step_ends_.emplace(dynamics_);
  if (step_ends_->any()) step_ends_->begin(state_.t, state_.x);
}

// The first zero of Equations::events before the end of what this step is looked at for. A step that begins at one leaves it out: round-off
// may show it once more.
std::optional<double> Run::event_before(std::optional<double> change) {
  if (!step_ends_ || !step_ends_->any()) return std::nullopt;
  constexpr double same_time = 1e-9;  // of a step
  const double began = state_.t + same_time * (integrator_.t() - integrator_.previous_t());
  std::vector<RunEvent> found;
  step_ends_->find(integrator_, change.value_or(integrator_.t()), found);
  for (const RunEvent& event : found)
    if (event.t > began) return event.t;
  return std::nullopt;
}

std::optional<double> Run::contact_before(std::optional<double> change) {
  if (!contacts_.any()) return change;
  const std::optional<double> contact = contacts_.find_change(integrator_, change.value_or(integrator_.t()));
  contact_changes_ = contact.has_value();
  return contact ? contact : change;
}

void Run::watch(std::optional<double> change) {
  enough_ = !watcher_.step(integrator_, change.value_or(integrator_.t()));
}

void Run::move_to(std::optional<double> change) {
  const double until = change.value_or(integrator_.t());
  if (change && *change < integrator_.t()) {
    integrator_.interpolate(*change, state_.x);
    dynamics_.project_if_possible(*change, state_.x.data());
  } else {
    state_.x = integrator_.x();
  }
  chatter_.look(until, change.has_value());
  state_.t = until;
  beam_errors_.look(state_.t, state_.x);
  look_at_steps();
}

void Run::follow_step() {
  if (!follows_steps_) return;
  dynamics_.evaluator().set(state_.t, state_.x.data());
  dynamics_.evaluator().next_discrete(state_.d);
  set_state();
}

void Run::change_outcomes() {
  watcher_.changing();
  impacts_.before(state_);
  for (RunEvent& event : comparisons_.change()) outcome_.events.push_back(std::move(event));
  broken_ = impacts_.after(state_, outcome_.events);
  if (!flutter_is_known_) look_for_flutter();
}

// Comparisons of velocities jump with them.
void Run::change_contacts() {
  contact_changes_ = false;
  watcher_.changing();
  const bool located = comparisons_.any() && integrator_.error_controlled();
  if (located) comparisons_.before_jump();
  broken_ = contacts_.change(outcome_.events);
  dynamics_.set_state(state_);
  if (located) comparisons_.jump();
  watcher_.contacts_changed(contacts_.impulses());
}

void Run::look_for_flutter() {
  const std::optional<std::string> comparison = comparisons_.fluttering(many_flutters);
  if (!comparison) return;
  flutter_is_known_ = true;
  add(finding<FindingCode::chattering>("t"_a = state_.t, "comparison"_a = *comparison, "changes"_a = many_flutters));
}

// With fixed steps nothing holds the outcomes of comparisons: they are those of the time of the sample.
void Run::take_samples() {
  if (dynamics_.comparisons().follows_roots()) dynamics_.comparisons().take_signs(state_.t, state_.x.data());
  samples_.take(state_, dynamics_.evaluator());
}

void Run::sample() {
  watcher_.sampling(samples_);
  take_samples();
}

bool Run::settle(std::optional<double> change) {
  bool anew = change.has_value();
  if (change) {
    contact_changed_last_ = contact_changes_;
    contact_changes_ ? change_contacts() : change_outcomes();
    restart();
  }
  if (state_.t < pause() && samples_.due(state_.t)) {
    change_held([&] { sample(); });
    anew = true;
  }
  return anew;
}

// Event functions jump with what is held: those that do set their outcomes.
void Run::change_held(const std::function<void()>& change) {
  const bool located = comparisons_.any() && integrator_.error_controlled();
  if (located) comparisons_.before_jump();
  if (located) comparisons_.show_equalities();
  change();
  dynamics_.set_state(state_);
  if (located) comparisons_.jump();
  restart();
}

void Run::look_at_steps() {
  if (!switched_ && stiff_.switched()) {
    switched_ = true;
    outcome_.events.push_back({*stiff_.switched(), stiff_.switch_event()});
  }
  if (options_.open_ended || !crawl_.look(state_.t, integrator_.statistics().steps, options_.end)) return;
  add(stiff_.crawls(crawl_));
  if (warn_) warn_(outcome_.findings.back().sentence);
}

std::string Run::chattering() const {
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

std::optional<Outcome> Run::end_if_broken() {
  return broken_.empty() ? std::nullopt : std::optional(end(RunStatus::failed, broken_));
}

std::optional<Outcome> Run::conclude(const Progress& progress) {
  if (std::optional<Outcome> outcome = end_if_broken()) return outcome;
  if (chatter_.endless()) return end(RunStatus::failed, chattering());
  if (enough_) return end(RunStatus::finished, fmt::format("all results are known at t = {:g} s", state_.t));
  if (progress && !progress(state_.t, integrator_.statistics().steps)) return end_stopped();
  if (state_.t < options_.last_time()) return std::nullopt;
  return end(RunStatus::finished, fmt::format("reached t = {:g} s", options_.end));
}

Outcome Run::end_stopped() {
  return end(RunStatus::stopped, options_.open_ended
                                     ? fmt::format("stopped at t = {:.6g} s", state_.t)
                                     : fmt::format("stopped at t = {:.6g} s of {:g} s", state_.t, options_.end));
}

// A large model is not evaluated any more where the run is stopped.
Outcome Run::fail(StepStatus status) {
  if (interrupted()) return end_stopped();
  std::string why = why_step_failed(status, integrator_, dynamics_, state_, prepared_.file, index2_ != nullptr);
  if (stiff_.now()) why += "; " + stiff_.advice().sentence;
  return end(RunStatus::failed, std::move(why));
}

Outcome Run::end(RunStatus status, std::string sentence) {
  outcome_.status = status;
  outcome_.sentence = std::move(sentence);
  outcome_.last = state_;
  const auto& counts = dynamics_.statistics();
  outcome_.statistics.integrator = integrator_.statistics();
  outcome_.statistics.near_singular = counts.near_singular;
  outcome_.statistics.smallest_rank = counts.smallest_rank;
  outcome_.statistics.constraints = prepared_.system->layout().m;
  watcher_.report(outcome_);
  outcome_.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  append(laws_met(), outcome_.findings);
  if (hidden_) hidden_->report(outcome_);
  append(beam_errors_.findings(), outcome_.findings);
  if (!integrator_.error_controlled())
    append(passed_limits(prepared_.current_limits, outcome_.peaks, options_), outcome_.findings);
  judge(prepared_, integrator_.error_controlled(), outcome_);
  // who stops a large model does not wait for its eigenvalues
  constexpr int large = 100;
  const bool no_time = outcome_.status == RunStatus::stopped && prepared_.system->layout().nv > large && interrupted();
  if (outcome_.status != RunStatus::failed && !no_time) judge_steps();
  return std::move(outcome_);
}

Findings Run::laws_met() const {
  Findings findings = impacts_.findings();
  append(contacts_.findings(), findings);
  return findings;
}

void Run::judge_steps() {
  std::optional<Finding> advice = step_limit_advice(prepared_, dynamics_, outcome_);
  if (!advice && stiff_.mostly() && !crawl_.known()) advice = stiff_.advice();
  if (advice) add(*std::move(advice));
}

void Run::set_state() {
  dynamics_.set_state(state_);
  if (index2_) index2_->set_state(state_);
}

void Run::restart() {
  set_state();
  watcher_.restarted();
  comparisons_.forget_beginning();
  contacts_.forget();
  started_ = false;
  if (state_.t < pause()) start_integrator();
}

void Run::start_integrator() {
  integrator_.start(state_.t, state_.x);
  started_ = true;
}

}  // namespace armature::internal
