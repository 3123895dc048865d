#include "identify/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identify/driven_model.hpp"
#include "study/motion_formula.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double difference = 1e-4;  // of a variable's size, where derivatives are differences of motions

// Nothing is recorded but the measured signals.
Model with_signals(Model model, const MotionFormulas& formulas) {
  model.record = {};
  for (std::size_t k = 0; k < formulas.observed().size(); ++k)
    model.record.quantities.emplace_back(fmt::format("#{}", k), formulas.observed()[k]);
  return model;
}

std::vector<Expression> signals_of(const System& system, std::size_t count) {
  std::vector<Expression> signals(count, 0.0);
  for (const Quantity& quantity : system.equations().quantities)
    if (const int k = functional_number(quantity.name); k >= 0) signals[static_cast<std::size_t>(k)] = quantity.value;
  return signals;
}

// The value of a coordinate, of its rate or of a state at the start of the file.
double start_value(const Prepared& prepared, const std::string& name) {
  const Equations& e = prepared.system->equations();
  const std::string rate = name.ends_with(".v") ? name.substr(0, name.size() - 2) + "'" : name;
  Eigen::Index place = 0;
  for (const auto* list : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *list) {
      if (coordinate.name == name || coordinate.name == rate) return prepared.start.x[place];
      ++place;
    }
  return 0;
}

}  // namespace

Experiment::Experiment(const Model& model, MeasuredRecord record, const ExperimentRequest& request)
    : record_(std::move(record)) {
  const Model own = driven_by(model, record_, inputs_);
  std::vector<std::string> names = request.parameters;
  names.insert(names.end(), request.starts.begin(), request.starts.end());
  const Varied varied = in_option("fit", [&] { return vary(own, names); });
  // the columns as formulas
  MotionFormulas formulas(varied.model, varied.parameters);
  for (const MeasuredColumn& column : record_.columns) {
    if (std::ranges::count(inputs_, column.name) > 0) continue;
    if (!request.use.empty() && std::ranges::count(request.use, column.name) == 0) continue;
    try {
      formulas.add_number(fmt::format("final({})", column.name));
    } catch (const FormulaError& error) {
      throw RequestError(
          fmt::format("{}:1: column '{}' is no signal of the model: {}; --use names the columns to compare",
                      record_.file, column.name, error.what()));
    }
    const Functional& signal = formulas.functionals().back();
    if (column.dimension && signal.dimension && *column.dimension != *signal.dimension)
      throw RequestError(
          fmt::format("{}:1: column '{}': '{}' is not a unit of this signal", record_.file, column.name, column.unit));
    columns_.push_back({column.name, formulas.unit(static_cast<int>(columns_.size())), &column});
  }
  if (columns_.empty())
    throw RequestError(fmt::format("{}: has no column that is a signal of the model", record_.file));

  Prepared compiled = compile(with_signals(varied.model, formulas), varied.parameters);
  without_derivatives_ = SignalStudy::missing(compiled);
  const std::vector<std::string>& order = compiled.system->equations().p_name;
  for (const std::string& name : varied.parameters) place_.push_back(std::ranges::find(order, name) - order.begin());
  // where the search begins
  for (std::size_t k = 0; k < request.parameters.size(); ++k)
    own_.emplace_back(names[k], compiled.parameters[place_[k]]);
  if (!request.starts.empty()) {
    Prepared plain = compile(own);
    assemble_start(plain);
    if (!plain.failure.empty()) throw ComputationError(plain.failure);
    for (const std::string& name : request.starts) own_.emplace_back(name, start_value(plain, name));
  }
  const std::vector<Expression> signals = signals_of(*compiled.system, columns_.size());
  signals_ = std::make_unique<SignalStudy>(std::move(compiled), signals, record_.t);
}

double Experiment::own_value(const std::string& name) const {
  const auto found = std::ranges::find(own_, name, &std::pair<std::string, double>::first);
  return found == own_.end() ? 0 : found->second;
}

Experiment::Run::Run(const Experiment& experiment) : experiment_(experiment), run_(*experiment.signals_) {}

VectorXd Experiment::Run::parameters_at(const VectorXd& values) const {
  VectorXd parameters(values.size());
  for (Eigen::Index k = 0; k < values.size(); ++k)
    parameters[experiment_.place_[static_cast<std::size_t>(k)]] = values[k];
  return parameters;
}

RunStatus Experiment::Run::take(const SignalRun::Request& request, const std::atomic<bool>& stop) {
  const RunStatus status = run_.run(request, stop);
  sentence_ = run_.sentence();
  samples_ = run_.samples();
  return status;
}

RunStatus Experiment::Run::run(const VectorXd& values, const VectorXd& sizes, Eigen::Index first, Eigen::Index count,
                               double until, const std::atomic<bool>& stop) {
  if (!experiment_.without_derivatives_.empty()) return run_differences(values, sizes, first, count, until, stop);
  SignalRun::Request request{parameters_at(values)};
  request.scales = parameters_at(sizes);
  request.until = until;
  request.directions.setZero(values.size(), count);
  for (Eigen::Index k = 0; k < count; ++k)
    request.directions(experiment_.place_[static_cast<std::size_t>(first + k)], k) = 1;
  const RunStatus status = take(request, stop);
  if (run_.no_derivative()) {
    experiment_.missing_.add(run_.sentence());
    return run_differences(values, sizes, first, count, until, stop);
  }
  values_ = run_.values();
  derivatives_ = run_.derivatives();
  return status;
}

// Central differences of motions.
RunStatus Experiment::Run::run_differences(const VectorXd& values, const VectorXd& sizes, Eigen::Index first,
                                           Eigen::Index count, double until, const std::atomic<bool>& stop) {
  SignalRun::Request request{parameters_at(values)};
  request.until = until;
  if (const RunStatus status = take(request, stop); status != RunStatus::finished) return status;
  values_ = run_.values();
  derivatives_.resize(values_.size(), count);
  const Eigen::Index samples = samples_;
  for (Eigen::Index k = 0; k < count; ++k) {
    const double h = difference * sizes[first + k];
    MatrixXd change;
    for (const double side : {1.0, -1.0}) {
      VectorXd beside = values;
      beside[first + k] += side * h;
      request.parameters = parameters_at(beside);
      if (const RunStatus status = take(request, stop); status != RunStatus::finished) return status;
      const MatrixXd there = run_.values().transpose();
      change = side > 0 ? there : MatrixXd((change - there) / (2 * h));
    }
    derivatives_.col(k) = Eigen::Map<const VectorXd>(change.data(), change.size());
  }
  samples_ = samples;
  return RunStatus::finished;
}

}  // namespace armature::internal
