#include "library/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "expression/interruption.hpp"
#include "model/diagnostics.hpp"
#include "model/request_error.hpp"

namespace armature {

namespace {

Eigen::VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

void require_size(const char* name, std::size_t size, int wanted) {
  if (size != static_cast<std::size_t>(wanted))
    throw Error(Error::Kind::input, fmt::format("State::{} has {} numbers, but the machine has {}", name, size, wanted));
}

Outcome::Status to_public(internal::RunStatus status) {
  switch (status) {
    case internal::RunStatus::finished: return Outcome::Status::finished;
    case internal::RunStatus::stopped: return Outcome::Status::stopped;
    case internal::RunStatus::failed: break;
  }
  return Outcome::Status::failed;
}

std::vector<Problem> problems_of(const internal::ModelError& error) {
  std::vector<Problem> problems;
  for (const internal::Diagnostic& found : error.diagnostics())
    problems.push_back({error.file(), found.where.line, found.key, found.message});
  return problems;
}

}  // namespace

void rethrow_as_error() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const internal::ModelError& error) {
    throw Error(Error::Kind::input, problems_of(error));
  } catch (const internal::FormulaError& error) {
    throw Error(Error::Kind::input, error.what());
  } catch (const internal::Interrupted&) {
    throw Error(Error::Kind::stopped, "stopped");
  } catch (const internal::RequestError& error) {
    throw Error(Error::Kind::input, error.what());
  } catch (const std::invalid_argument& error) {
    throw Error(Error::Kind::input, error.what());
  } catch (const std::exception& error) {
    throw Error(Error::Kind::computation, error.what());
  }
}

std::vector<double> numbers(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }

std::vector<double> by_rows(const Eigen::MatrixXd& matrix) {
  std::vector<double> numbers;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) numbers.push_back(matrix(i, k));
  return numbers;
}

State to_public(const internal::State& state, const internal::Layout& n) {
  State result;
  result.t = state.t;
  result.q = numbers(state.x.segment(0, n.nq));
  result.v = numbers(state.x.segment(n.nq, n.nv));
  result.z = numbers(state.x.segment(n.nq + n.nv, n.nz));
  result.held = numbers(state.d);
  result.outcomes = numbers(state.w);
  for (const internal::ModeStatus mode : state.mode) result.modes.push_back(static_cast<int>(mode));
  return result;
}

void require_finite(const char* name, const std::vector<double>& numbers) {
  if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); }))
    throw Error(Error::Kind::input, fmt::format("State::{} has a number that is not finite", name));
}

void require_modes(const std::vector<int>& modes) {
  constexpr int most = static_cast<int>(internal::ModeStatus::sliding);
  for (const int mode : modes)
    if (mode < 0 || mode > most)
      throw Error(Error::Kind::input, fmt::format("State::modes has {}, but a mode is a number from 0 to {}", mode, most));
}

// Where held values or outcomes are left out, those of the machine's start are taken.
internal::State to_internal(const State& state, const internal::System& system) {
  const internal::Layout& n = system.layout();
  require_size("q", state.q.size(), n.nq);
  require_size("v", state.v.size(), n.nv);
  if (!state.z.empty()) require_size("z", state.z.size(), n.nz);
  if (!state.held.empty()) require_size("held", state.held.size(), n.nd);
  if (!state.outcomes.empty()) require_size("outcomes", state.outcomes.size(), n.nw);
  if (!state.modes.empty()) require_size("modes", state.modes.size(), n.nw);
  if (!std::isfinite(state.t)) throw Error(Error::Kind::input, "State::t is not finite");
  for (const auto& [name, numbers] : {std::pair{"q", &state.q}, {"v", &state.v}, {"z", &state.z}, {"held", &state.held},
                                      {"outcomes", &state.outcomes}})
    require_finite(name, *numbers);
  require_modes(state.modes);
  internal::State result = system.initial_state();
  result.t = state.t;
  result.x.segment(0, n.nq) = vector(state.q);
  result.x.segment(n.nq, n.nv) = vector(state.v);
  if (!state.z.empty()) result.x.segment(n.nq + n.nv, n.nz) = vector(state.z);
  if (!state.held.empty()) result.d = vector(state.held);
  if (!state.outcomes.empty()) result.w = vector(state.outcomes);
  if (state.modes.size() == result.mode.size())
    std::ranges::transform(state.modes, result.mode.begin(),
                           [](int mode) { return static_cast<internal::ModeStatus>(mode); });
  return result;
}

Outcome to_public(const internal::Outcome& outcome) {
  Outcome result;
  result.status = to_public(outcome.status);
  result.sentence = outcome.sentence;
  result.warnings = outcome.warnings;
  for (const internal::RunEvent& event : outcome.events) result.events.push_back({event.t, event.what});
  const internal::IntegratorStatistics& integrator = outcome.statistics.integrator;
  result.statistics = {integrator.steps,
                       integrator.rejected,
                       integrator.evaluations,
                       integrator.smallest_step,
                       integrator.largest_step,
                       outcome.statistics.smallest_rank,
                       outcome.statistics.position_error,
                       outcome.statistics.energy_error,
                       outcome.statistics.seconds};
  return result;
}

std::vector<Channel> to_public(const std::vector<internal::Channel>& channels) {
  std::vector<Channel> result;
  for (const internal::Channel& channel : channels) result.push_back({channel.name, channel.unit});
  return result;
}

int place_of(const std::string& name, const std::vector<std::string>& names, const std::string& kind) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(Error::Kind::input,
                fmt::format("there is no {} '{}'{}", kind, name, internal::near_or_all(name, names)));
  return static_cast<int>(found - names.begin());
}

}  // namespace armature
