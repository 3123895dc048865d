#include "fmi/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fmi/fmu_folder.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Kind = FmuVariable::Kind;
using Eigen::VectorXd;

constexpr double same_time = 1e-9;  // of a communication step, or of 1 s: times that differ by round-off

bool is_same_time(double a, double b, double length) { return std::abs(a - b) <= same_time * std::max(length, 1.0); }

}  // namespace

FmuInstance::FmuInstance(const std::filesystem::path& resources, const std::string& token, const Options& options,
                         Log log)
    : options_(options), log_(std::move(log)), token_(token), source_(fmu_model(resources, token)) {
  rebuild();
  const std::vector<Channel>& channels = run_ ? run_->channels() : motion_->channel_list();
  variables_ = fmu_variables(machine_->model, machine_->prepared, channels);
  values_.parameters.resize(static_cast<std::size_t>(variables_.parameters));
  values_.inputs.assign(machine_->prepared.parameters.begin(), machine_->prepared.parameters.end());
}

void FmuInstance::set_logging(bool on, std::vector<std::string> categories) {
  logging_ = on;
  categories_ = std::move(categories);
}

// Errors and warnings are always said, events if somebody asks for them.
void FmuInstance::say(FmuStatus status, const char* category, const std::string& sentence) const {
  const bool is_wanted = categories_.empty() || std::ranges::count(categories_, category) > 0;
  if (log_ && (status != FmuStatus::ok || (logging_ && is_wanted))) log_(status, category, sentence);
}

void FmuInstance::setup(std::optional<double> tolerance, double start, std::optional<double> stop) {
  if (!std::isfinite(start)) throw RequestError("the start time is not a finite number");
  if (stop && !(*stop > start))
    throw RequestError(fmt::format("the stop time {:g} s is not after the start time {:g} s", *stop, start));
  if (tolerance && !(*tolerance > 0 && *tolerance < 1))
    throw RequestError(fmt::format("the tolerance {:g} is not between 0 and 1", *tolerance));
  if (tolerance != values_.tolerance || start != values_.start_time) is_stale_ = true;
  values_.tolerance = tolerance;
  values_.start_time = start;
  stop_ = stop;
}

void FmuInstance::rebuild() {
  auto machine = std::make_unique<HostMachine>(machine_with(source_, values_));
  if (machine_) refuse_other_structure(*machine);
  view_.reset(), motion_.reset(), run_.reset(), sensitivities_.reset();
  machine_ = std::move(machine);
  for (const std::string& note : machine_->notes) say(FmuStatus::warning, "logStatusWarning", note);
  is_stale_ = false;
  make_motion();
}

void FmuInstance::make_motion() {
  logged_ = 0;
  view_.reset();
  if (options_.interface == Interface::model_exchange) {
    motion_ = std::make_unique<HostedMotion>(machine_->prepared);
    return;
  }
  run_ = std::make_unique<PausedRun>(machine_->prepared, nullptr);
  warned_.clear();
  run_->warn_with([this](const std::string& warning) {
    say(FmuStatus::warning, "logStatusWarning", warning);
    warned_.push_back(warning);
  });
}

// Variables have one place for as long as the FMU lives.
void FmuInstance::refuse_other_structure(const HostMachine& other) const {
  const Layout &a = machine_->prepared.system->layout(), &b = other.prepared.system->layout();
  if (a.nq != b.nq || a.nv != b.nv || a.nz != b.nz || a.nw != b.nw || a.nd != b.nd || a.m != b.m)
    throw RequestError(
        "the parameters change the structure of the machine: its number of coordinates, states, constraints or "
        "comparisons; export an FMU with these values (--set)");
}

void FmuInstance::refresh() {
  if (is_stale_ && (mode_ & (instantiated | initialization))) rebuild();
}

void FmuInstance::exit_initialization() {
  refresh();
  if (motion_) motion_->begin();
  const bool steps = options_.interface == Interface::co_simulation && !options_.event_mode;
  mode_ = steps ? step : event;
}

void FmuInstance::terminate() {
  log_findings(run_ ? run_->finish().findings : machine_->prepared.findings);
  mode_ = terminated;
}

void FmuInstance::log_findings(const Findings& findings) const {
  for (const std::string& warning : warnings_among(findings))
    if (std::ranges::count(warned_, warning) == 0) say(FmuStatus::warning, "logStatusWarning", warning);
}

void FmuInstance::enter_step_mode() {
  take_parameters();
  mode_ = step;
}

void FmuInstance::reset() {
  values_.starts.clear();
  values_.parameters.assign(values_.parameters.size(), std::nullopt);
  values_.inputs.clear();
  values_.tolerance.reset();
  values_.start_time = 0;
  stop_.reset();
  parameters_wait_ = false;
  mode_ = instantiated;
  rebuild();
  values_.inputs.assign(machine_->prepared.parameters.begin(), machine_->prepared.parameters.end());
}

const State& FmuInstance::state() const { return run_ ? run_->state() : motion_->state(); }
const VectorXd& FmuInstance::inputs() const { return run_ ? run_->parameters() : motion_->inputs(); }
double FmuInstance::t() const { return state().t; }

// ---------------------------------------------------------------- values

const FmuVariable& FmuInstance::variable(std::uint32_t reference) const {
  if (reference >= variables_.list.size())
    throw RequestError(fmt::format("there is no variable with the value reference {}", reference));
  return variables_.list[reference];
}

double FmuInstance::get(std::uint32_t reference) {
  const FmuVariable& wanted = variable(reference);
  refresh();
  const auto k = static_cast<std::size_t>(wanted.index);
  switch (wanted.kind) {
    case Kind::time: return t();
    case Kind::input: return values_.inputs[k];
    case Kind::parameter: return values_.parameters[k].value_or(machine_->model.parameters[k].value);
    case Kind::state: return state().x[wanted.index];
    case Kind::channel: return run_ ? run_->values()[k] : motion_->channels()[k];
    case Kind::rate: {
      std::vector<double> rates(static_cast<std::size_t>(variables_.states));
      get_rates(rates.data(), rates.size());
      return rates[k];
    }
    case Kind::indicator: break;
  }
  std::vector<double> indicators(static_cast<std::size_t>(variables_.indicators));
  get_indicators(indicators.data(), indicators.size());
  return indicators[k];
}

void FmuInstance::set(std::uint32_t reference, double value) {
  const FmuVariable& wanted = variable(reference);
  if (!std::isfinite(value))
    throw RequestError(fmt::format("'{}' is set to {}, which is not a finite number", wanted.name, value));
  if (wanted.kind == Kind::input) return set_input(wanted, value);
  if (wanted.kind == Kind::parameter && wanted.causality == "parameter") return set_parameter(wanted, value);
  if (wanted.kind == Kind::state && wanted.start) return set_start(wanted, value);
  throw RequestError(fmt::format("'{}' cannot be set: it is computed", wanted.name));
}

void FmuInstance::set_input(const FmuVariable& input, double value) {
  values_.inputs[static_cast<std::size_t>(input.index)] = value;
  view_.reset();
  if (mode_ & (instantiated | initialization)) machine_->prepared.parameters[input.index] = value;
  if (run_) return run_->set_parameter(input.index, value);
  if (mode_ == event)
    motion_->jump_input(input.index, value);
  else
    motion_->set_input(input.index, value);
}

void FmuInstance::set_parameter(const FmuVariable& parameter, double value) {
  if (mode_ == continuous || (mode_ == step && options_.event_mode))
    throw RequestError(fmt::format("the parameter '{}' can be set at events only", parameter.name));
  std::optional<double>& held = values_.parameters[static_cast<std::size_t>(parameter.index)];
  if (held == value) return;
  held = value;
  (mode_ & running ? parameters_wait_ : is_stale_) = true;
}

void FmuInstance::set_start(const FmuVariable& state, double value) {
  if (!(mode_ & (instantiated | initialization)))
    throw RequestError(
        fmt::format("the start value of '{}' can be set before the initialization ends, not later", state.name));
  values_.set_start(state.index, value);
  is_stale_ = true;
}

// The machine is compiled with the new values. What moves stays where it is, but for what the constraints ask.
void FmuInstance::take_parameters() {
  if (!parameters_wait_) return;
  parameters_wait_ = false;
  const State here = state();
  HostValues now = values_;
  now.starts.clear();
  auto machine = std::make_unique<HostMachine>(machine_with(source_, now));
  refuse_other_structure(*machine);
  assemble_start(machine->prepared, here);
  if (!machine->prepared.failure.empty())
    throw ComputationError("with the new parameters the loops do not close near the present state");
  const bool sampled = motion_ && motion_->sampled();
  view_.reset(), motion_.reset(), run_.reset(), sensitivities_.reset();
  machine_ = std::move(machine);
  make_motion();
  if (motion_) motion_->continue_at(machine_->prepared.start, machine_->prepared.parameters, sampled);
}

// ---------------------------------------------------------------- model exchange

void FmuInstance::require_count(std::size_t count, int wanted, const char* what) const {
  if (count != static_cast<std::size_t>(wanted))
    throw RequestError(fmt::format("{} {} were asked for, but there are {}", count, what, wanted));
}

void FmuInstance::set_time(double t) {
  if (!std::isfinite(t)) throw RequestError("the time is not a finite number");
  motion_->set_time(t);
}

void FmuInstance::set_states(const double* x, std::size_t count) {
  require_count(count, variables_.states, "states");
  if (!std::all_of(x, x + count, [](double value) { return std::isfinite(value); }))
    throw FmuDiscard("a state is not a finite number");
  motion_->set_states(x);
}

void FmuInstance::get_states(double* x, std::size_t count) {
  require_count(count, variables_.states, "states");
  refresh();
  std::copy_n(state().x.data(), count, x);
}

void FmuInstance::get_nominals(double* nominals, std::size_t count) const {
  require_count(count, variables_.states, "states");
  for (std::size_t k = 0; k < count; ++k) {
    const double nominal = variables_.list[static_cast<std::size_t>(variables_.first_state()) + k].nominal;
    nominals[k] = nominal > 0 ? nominal : 1;
  }
}

HostedMotion& FmuInstance::view() {
  if (motion_) return *motion_;
  if (!view_) {
    view_ = std::make_unique<HostedMotion>(machine_->prepared);
    view_->continue_at(state(), inputs(), true);
  }
  return *view_;
}

void FmuInstance::get_rates(double* rates, std::size_t count) {
  require_count(count, variables_.states, "derivatives");
  refresh();
  if (!view().rates(rates))
    throw FmuDiscard(fmt::format(
        "the accelerations cannot be computed at t = {:g} s: a number is not finite, or the constraints are singular",
        t()));
}

void FmuInstance::get_indicators(double* indicators, std::size_t count) {
  require_count(count, variables_.indicators, "event indicators");
  refresh();
  view().indicators(indicators);
}

FmuInstance::Update FmuInstance::update() {
  Update result;
  take_parameters();
  if (run_) return result;  // co-simulation: all is settled
  HostedMotion::Update update = motion_->update();
  result.again = update.again;
  result.state_changed = update.state_changed;
  for (const RunEvent& event : update.events)
    say(FmuStatus::ok, "logEvents", fmt::format("t = {:.10g} s: {}", event.t, event.what));
  if (const double next = motion_->next_sample(); std::isfinite(next)) result.next_event = next;
  return result;
}

// ---------------------------------------------------------------- co-simulation

void FmuInstance::log_events() {
  if (!logging_) return;
  const std::vector<RunEvent> events = run_->events();
  for (; logged_ < events.size(); ++logged_)
    say(FmuStatus::ok, "logEvents", fmt::format("t = {:.10g} s: {}", events[logged_].t, events[logged_].what));
}

FmuInstance::Step FmuInstance::do_step(double t, double length) {
  if (!(length > 0) || !std::isfinite(t + length))
    throw RequestError(fmt::format("a step of {} s from t = {} s", length, t));
  if (!is_same_time(t, this->t(), length))
    throw RequestError(fmt::format("the step begins at t = {:.10g} s, but the instance is at {:.10g} s", t, this->t()));
  const double end = t + length;
  if (stop_ && end > *stop_ && !is_same_time(end, *stop_, length))
    throw RequestError(fmt::format("the step ends at t = {:.10g} s, after the stop time {:.10g} s", end, *stop_));
  take_parameters();
  view_.reset();
  const bool may_end_early = options_.early_return && options_.event_mode;
  const bool went = may_end_early ? run_->advance_to_event(end) : run_->advance(end);
  log_events();
  if (!went) {
    mode_ = failed;
    log_findings(run_->outcome()->findings);
    throw ComputationError(run_->outcome()->sentence);
  }
  const bool early = this->t() < end;
  return {early, early, this->t()};
}

// ---------------------------------------------------------------- derivatives

Sensitivities& FmuInstance::sensitivities_here() {
  refresh();
  if (!sensitivities_) sensitivities_ = std::make_unique<Sensitivities>(machine_->prepared);
  sensitivities_->evaluate(state(), inputs());
  return *sensitivities_;
}

namespace {

struct Seeds {
  VectorXd states, inputs;
};

// Channels begin with t and all entries of x but references of angles; the quantities follow.
Eigen::Index quantity_of(const FmuVariable& channel, const Equations& e) {
  const auto first = 1 + e.q.size() + e.v.size() + e.z.size() - e.references.size();
  const Eigen::Index k = channel.index - static_cast<Eigen::Index>(first);
  if (channel.kind != Kind::channel || k < 0 || k >= static_cast<Eigen::Index>(e.quantities.size()))
    throw RequestError(
        fmt::format("there are no derivatives of '{}', only those of outputs and of rates of states", channel.name));
  return k;
}

[[noreturn]] void refuse_known(const FmuVariable& known) {
  throw RequestError(
      fmt::format("there are no derivatives with respect to '{}', only with respect to states and inputs", known.name));
}

}  // namespace

void FmuInstance::directional_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                                         const double* seed, double* sensitivity) {
  const Equations& e = machine_->prepared.system->equations();
  VectorXd dx = VectorXd::Zero(variables_.states), du = VectorXd::Zero(variables_.inputs);
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    const FmuVariable& known = variable(knowns[k]);
    if (known.kind != Kind::state && known.kind != Kind::input) refuse_known(known);
    (known.kind == Kind::state ? dx : du)[known.index] += seed[k];
  }
  const Sensitivities& here = sensitivities_here();
  const VectorXd rates = here.rates(dx, du), quantities = here.quantities(dx, du);
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const FmuVariable& unknown = variable(unknowns[k]);
    sensitivity[k] = unknown.kind == Kind::rate    ? rates[unknown.index]
                     : unknown.kind == Kind::state ? dx[unknown.index]
                                                   : quantities[quantity_of(unknown, e)];
  }
}

void FmuInstance::adjoint_derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                                     const double* seed, double* sensitivity) {
  const Equations& e = machine_->prepared.system->equations();
  VectorXd rates = VectorXd::Zero(variables_.states), own = rates;
  VectorXd quantities = VectorXd::Zero(static_cast<Eigen::Index>(e.quantities.size()));
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const FmuVariable& unknown = variable(unknowns[k]);
    double& weight = unknown.kind == Kind::rate    ? rates[unknown.index]
                     : unknown.kind == Kind::state ? own[unknown.index]
                                                   : quantities[quantity_of(unknown, e)];
    weight += seed[k];
  }
  const Sensitivities& here = sensitivities_here();
  const VectorXd by_states = here.by_states(rates, quantities) + own, by_inputs = here.by_inputs(rates, quantities);
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    const FmuVariable& known = variable(knowns[k]);
    if (known.kind != Kind::state && known.kind != Kind::input) refuse_known(known);
    sensitivity[k] = (known.kind == Kind::state ? by_states : by_inputs)[known.index];
  }
}

// All inputs and all states: what a value really follows is for its directional derivatives to say.
std::vector<std::uint32_t> FmuInstance::dependencies(std::uint32_t reference) const {
  const FmuVariable& dependent = variable(reference);
  if (dependent.kind == Kind::time || dependent.kind == Kind::input || dependent.kind == Kind::parameter) return {};
  if (dependent.kind == Kind::state) return {reference};
  std::vector<std::uint32_t> list;
  for (int k = 0; k < variables_.inputs; ++k) list.push_back(static_cast<std::uint32_t>(variables_.first_input() + k));
  for (int k = 0; k < variables_.states; ++k) list.push_back(static_cast<std::uint32_t>(variables_.first_state() + k));
  return list;
}

}  // namespace armature::internal
