#include "library/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "expression/interruption.hpp"
#include "library/access.hpp"
#include "model/diagnostics.hpp"
#include "model/findings.hpp"
#include "model/request_error.hpp"
#include "read/fmu_uses.hpp"

namespace armature {

namespace {

Eigen::VectorXd vector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

void require_size(const char* name, std::size_t size, int wanted) {
  if (size != static_cast<std::size_t>(wanted))
    throw Error(Error::Kind::input, fmt::format("{} has {} numbers, but the machine has {}", name, size, wanted));
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
    problems.push_back(
        {error.file_of(found), found.where.line, without_options(found.key), without_options(error.message_of(found))});
  return problems;
}

internal::ComparisonStatus status_of(int number) {
  if (number < 0 || number > static_cast<int>(internal::ComparisonStatus::sliding))
    throw Error(
        Error::Kind::input,
        fmt::format("switch_status has the value {}, but expected 0 (below), 1 (above) or 2 (sliding)", number));
  return static_cast<internal::ComparisonStatus>(number);
}

}  // namespace

std::string without_options(std::string sentence) {
  for (std::size_t at = 0; (at = sentence.find("--", at)) != std::string::npos;) {
    const bool begins = at == 0 || !std::isalnum(static_cast<unsigned char>(sentence[at - 1]));
    if (begins && at + 2 < sentence.size() && std::islower(static_cast<unsigned char>(sentence[at + 2])))
      sentence.erase(at, 2);
    else
      at += 2;
  }
  return sentence;
}

void rethrow_as_error() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const PassedOn& passed) {
    std::rethrow_exception(passed.thrown);
  } catch (const internal::ModelError& error) {
    throw Error(Error::Kind::input, problems_of(error));
  } catch (const internal::FormulaError& error) {
    throw Error(Error::Kind::input, without_options(error.what()));
  } catch (const internal::Interrupted&) {
    throw Error(Error::Kind::stopped, "stopped");
  } catch (const internal::RequestError& error) {
    throw Error(Error::Kind::input, without_options(error.what()));
  } catch (const std::invalid_argument& error) {
    throw Error(Error::Kind::input, without_options(error.what()));
  } catch (const std::exception& error) {
    throw Error(Error::Kind::computation, without_options(error.what()));
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
  result.discrete = numbers(state.d);
  result.switches = numbers(state.w);
  for (const internal::ComparisonStatus status : state.comparisons)
    result.switch_status.push_back(static_cast<int>(status));
  return result;
}

void require_finite(const char* name, const std::vector<double>& numbers) {
  if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); }))
    throw Error(Error::Kind::input, fmt::format("{} has a number that is not finite", name));
}

// Discrete values that are left out are the initial ones, switches are as the comparisons say at this state.
internal::State to_internal(const State& state, internal::SystemEvaluator& evaluator) {
  const internal::System& system = evaluator.system();
  const internal::Layout& n = system.layout();
  require_size("q", state.q.size(), n.nq);
  require_size("v", state.v.size(), n.nv);
  if (!state.z.empty()) require_size("z", state.z.size(), n.nz);
  if (!state.discrete.empty()) require_size("discrete", state.discrete.size(), n.nd);
  if (!state.switches.empty()) {
    require_size("switches", state.switches.size(), n.nw);
    require_size("switch_status", state.switch_status.size(), n.nw);
  }
  if (!std::isfinite(state.t)) throw Error(Error::Kind::input, "the time of the state is not finite");
  for (const auto& [name, numbers] : {std::pair{"q", &state.q},
                                      {"v", &state.v},
                                      {"z", &state.z},
                                      {"discrete", &state.discrete},
                                      {"switches", &state.switches}})
    require_finite(name, *numbers);
  internal::State result = system.initial_state();
  result.t = state.t;
  result.x.segment(0, n.nq) = vector(state.q);
  result.x.segment(n.nq, n.nv) = vector(state.v);
  if (!state.z.empty()) result.x.segment(n.nq + n.nv, n.nz) = vector(state.z);
  if (!state.discrete.empty()) result.d = vector(state.discrete);
  if (!state.switches.empty()) {
    result.w = vector(state.switches);
    std::ranges::transform(state.switch_status, result.comparisons.begin(), status_of);
  } else if (n.nw > 0) {
    evaluator.set(result);
    evaluator.take_outcomes(result.w);
    const auto& comparisons = system.equations().graph->comparisons();
    for (std::size_t k = 0; k < comparisons.size(); ++k)
      result.comparisons[k] = internal::status_of(comparisons[k], result.w[static_cast<Eigen::Index>(k)]);
  }
  return result;
}

Outcome to_public(const internal::Outcome& outcome) {
  Outcome result;
  result.status = to_public(outcome.status);
  result.sentence = without_options(outcome.sentence);
  for (const std::string& warning : outcome.warnings()) result.warnings.push_back(without_options(warning));
  for (const internal::Finding& found : outcome.findings) {
    const internal::FindingRow& row = internal::row_of(found.code);
    result.findings.push_back(
        {std::string(row.code), std::string(internal::name_of(row.severity)), without_options(found.sentence)});
  }
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

const internal::Model& without_fmus(const Model& model) {
  const internal::Model& known = internal::Access::of(model);
  if (!internal::fmu_uses(known).empty())
    throw Error(Error::Kind::input,
                model.file() + ": fmus: this call does not run the FMUs of a model; 'armature run' couples them");
  return known;
}

int place_of(const std::string& name, const std::vector<std::string>& names, const std::string& kind) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw Error(Error::Kind::input,
                fmt::format("there is no {} '{}'{}", kind, name, internal::near_or_all(name, names)));
  return static_cast<int>(found - names.begin());
}

}  // namespace armature
