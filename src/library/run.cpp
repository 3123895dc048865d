#include "armature/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "expression/interruption.hpp"
#include "library/projected.hpp"
#include "library/recording.hpp"
#include "library/translate.hpp"
#include "prepare/prepare.hpp"
#include "run/paused_run.hpp"
#include "run/simulate.hpp"

namespace armature {

namespace {

const internal::Prepared& assembled(const Machine& machine) {
  const internal::Prepared& prepared = internal::Access::of(machine);
  if (!prepared.failure.empty()) machine.start();  // throws
  return prepared;
}

// On the constraints; Error: it is too far from them.
internal::State start_from(const State& state, const internal::Prepared& prepared, const Eigen::VectorXd& inputs) {
  internal::SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(inputs);
  return projected(to_internal(state, evaluator), evaluator);
}

// A run of a host has no end of its own.
internal::Prepared prepared_for(const Machine& machine, const State* from) {
  internal::Prepared prepared = from ? internal::Access::of(machine) : assembled(machine);
  prepared.options.open_ended = true;
  prepared.failure.clear();
  if (from) prepared.start = start_from(*from, prepared, prepared.parameters);
  return prepared;
}

std::vector<std::string> channel_names(const std::vector<internal::Channel>& channels) {
  std::vector<std::string> names;
  for (const internal::Channel& channel : channels) names.push_back(channel.name);
  return names;
}

}  // namespace

struct Run::Parts {
  Machine machine;
  Recording rows;
  internal::PausedRun run;
  std::vector<Channel> channels;

  Parts(Machine given, const RunOptions& options)
      : machine(std::move(given)),
        run(prepared_for(machine, options.from), options.record ? &rows : nullptr),
        channels(to_public(run.channels())) {}

  void require_running() const {
    if (run.outcome()) throw Error(Error::Kind::computation, "the run has ended: " + run.outcome()->sentence);
  }
  void throw_if_ended() const {
    if (!run.outcome()) return;
    const bool stopped = run.outcome()->status == internal::RunStatus::stopped;
    throw Error(stopped ? Error::Kind::stopped : Error::Kind::computation, run.outcome()->sentence);
  }
};

Run::Run(Machine machine, const RunOptions& options)
    : parts_(translated([&] { return std::make_unique<Parts>(std::move(machine), options); })) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

const Machine& Run::machine() const { return parts_->machine; }
double Run::t() const { return parts_->run.state().t; }
State Run::state() const { return to_public(parts_->run.state(), parts_->run.prepared().system->layout()); }

int Run::input(const std::string& name) const {
  return place_of(name, parts_->run.prepared().system->equations().p_name, "input");
}

void Run::set_input(int input, double value) {
  if (input < 0 || input >= parts_->run.parameters().size())
    throw Error(Error::Kind::input, fmt::format("there is no input number {}", input));
  if (!std::isfinite(value))
    throw Error(Error::Kind::input,
                fmt::format("the input '{}' is set to {}, which is not a finite number",
                            parts_->run.prepared().system->equations().p_name[std::size_t(input)], value));
  parts_->run.set_parameter(input, value);
}

double Run::get_input(int input) const {
  if (input < 0 || input >= parts_->run.parameters().size())
    throw Error(Error::Kind::input, fmt::format("there is no input number {}", input));
  return parts_->run.parameters()[input];
}

void Run::advance(double t) {
  translated([&] {
    parts_->require_running();
    if (!std::isfinite(t)) throw Error(Error::Kind::input, fmt::format("advance to t = {} s: not a time", t));
    if (t < this->t())
      throw Error(Error::Kind::input,
                  fmt::format("advance to t = {:g} s: the run is at t = {:g} s already", t, this->t()));
    if (!parts_->run.advance(t)) parts_->throw_if_ended();
  });
}

void Run::step() {
  translated([&] {
    parts_->require_running();
    // a step is chosen with regard to what is still to come: as much as a whole simulation
    if (!parts_->run.step(t() + parts_->run.prepared().options.end)) parts_->throw_if_ended();
  });
}

const std::vector<Channel>& Run::channels() const { return parts_->channels; }
int Run::channel(const std::string& name) const {
  return place_of(name, channel_names(parts_->run.channels()), "channel");
}

std::span<const double> Run::values() const {
  return translated([&] { return std::span<const double>(parts_->run.values()); });
}

double Run::value(int channel) const {
  const std::span<const double> all = values();
  if (channel < 0 || static_cast<std::size_t>(channel) >= all.size())
    throw Error(Error::Kind::input, fmt::format("there is no channel number {}", channel));
  return all[static_cast<std::size_t>(channel)];
}

void Run::set_state(const State& state) {
  translated([&] { parts_->run.set_state(start_from(state, parts_->run.prepared(), parts_->run.parameters())); });
}

Snapshot Run::snapshot() const { return {state(), numbers(parts_->run.parameters())}; }

void Run::restore(const Snapshot& snapshot) {
  if (snapshot.inputs.size() != static_cast<std::size_t>(parts_->run.parameters().size()))
    throw Error(Error::Kind::input, fmt::format("the snapshot has {} inputs, but the machine has {}",
                                                snapshot.inputs.size(), parts_->run.parameters().size()));
  for (std::size_t k = 0; k < snapshot.inputs.size(); ++k) set_input(static_cast<int>(k), snapshot.inputs[k]);
  set_state(snapshot.state);
}

std::vector<Event> Run::events() const {
  std::vector<Event> list;
  for (const internal::RunEvent& event : parts_->run.events()) list.push_back({event.t, event.what});
  return list;
}

Outcome Run::finish() {
  return translated([&] { return to_public(parts_->run.finish()); });
}

Outcome Run::stop(const std::string& why) {
  return translated([&] { return to_public(parts_->run.stop(why)); });
}

Outcome Run::outcome() const {
  if (parts_->run.outcome()) return to_public(*parts_->run.outcome());
  Outcome so_far;
  so_far.sentence = fmt::format("at t = {:g} s", t());
  so_far.events = events();
  const internal::IntegratorStatistics& statistics = parts_->run.statistics();
  so_far.statistics.steps = statistics.steps;
  so_far.statistics.rejected = statistics.rejected;
  so_far.statistics.evaluations = statistics.evaluations;
  return so_far;
}

Trajectory Run::trajectory() const { return parts_->rows.trajectory(); }

std::vector<double> Trajectory::column(const std::string& name) const {
  std::vector<std::string> names;
  for (const Channel& channel : channels_) names.push_back(channel.name);
  const auto place = static_cast<std::size_t>(place_of(name, names, "channel"));
  std::vector<double> column;
  for (std::size_t k = 0; k < rows(); ++k) column.push_back(row(k)[place]);
  return column;
}

namespace {

Motion motion_of(const internal::Prepared& prepared, const Progress& progress) {
  Recording rows;
  const internal::Outcome outcome = internal::simulate(prepared, rows, progress);
  return {rows.trajectory(), to_public(outcome), to_public(outcome.last, prepared.system->layout())};
}

}  // namespace

Motion simulate(const Machine& machine, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    without_fmus(machine.model());
    return motion_of(assembled(machine), guarded);
  });
}

Motion simulate(const Machine& machine, const State& from, const Progress& progress) {
  return translated(progress, [&](const Progress& guarded) {
    without_fmus(machine.model());
    internal::Prepared prepared = internal::Access::of(machine);
    prepared.failure.clear();
    prepared.start = start_from(from, prepared, prepared.parameters);
    if (!(prepared.start.t < prepared.options.end))
      throw Error(Error::Kind::input,
                  fmt::format("the motion starts at t = {:g} s and ends at {:g} s: give a later end", prepared.start.t,
                              prepared.options.end));
    return motion_of(prepared, guarded);
  });
}

}  // namespace armature
