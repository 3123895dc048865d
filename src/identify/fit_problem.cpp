#include "identify/fit_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "model/diagnostics.hpp"
#include "record/usable_cores.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double most_change = 1000;  // a parameter without a range keeps its sign, and its size within this factor
constexpr auto patience = std::chrono::milliseconds(50);

std::string fit_unit(const Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.parameters, name, &Parameter::name);
  if (found == model.parameters.end() || !found->dimension) return {};
  return InferredUnit{*found->dimension}.text();
}

double spread_of(const std::vector<const MeasuredColumn*>& columns) {
  double sum = 0, squares = 0, count = 0;
  for (const MeasuredColumn* column : columns)
    for (const double value : column->values)
      if (!std::isnan(value)) sum += value, squares += value * value, ++count;
  if (count < 2) return 0;
  return std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)));
}

// Values near a parameter, where it must mean the same model.
std::vector<std::vector<double>> nearby(const std::vector<IdentifyOptions::Fit>& fits, const Experiment& experiment) {
  std::vector<std::vector<double>> values;
  for (const IdentifyOptions::Fit& fit : fits) {
    const double own = experiment.own_value(fit.name), step = own == 0 ? 0.1 : 0.1 * own;
    values.push_back({own - step, own + step});
    if (std::isfinite(fit.low) && std::isfinite(fit.high))
      values.back() = {fit.low, 0.62 * fit.low + 0.38 * fit.high, fit.high};
  }
  return values;
}

// Refuses parameters that change more than numbers in the equations: a number of elements, an end time.
void check_fits(const Model& model, const IdentifyOptions& options, const Experiment& experiment) {
  std::vector<std::string> names;
  for (const IdentifyOptions::Fit& fit : options.fit) names.push_back(fit.name);
  if (names.empty()) return;
  const Varied varied = vary(model, names);
  const MotionFormulas formulas(varied.model, varied.parameters);
  Study study(varied, formulas);
  try {
    check_variables(study, model, options.settings, names, nearby(options.fit, experiment));
  } catch (const RequestError& error) {
    const std::string text = error.what();
    throw RequestError("fit", text.starts_with("over: ") ? text.substr(6) : text);
  }
}

}  // namespace

FitProblem::FitProblem(const Model& model, const std::vector<MeasuredRecord>& records, const IdentifyOptions& options)
    : options_(options) {
  if (options.fit.empty() && options.fit_start.empty())
    throw RequestError("fit", "names no parameter; give at least one, or a start value to fit");
  if (records.empty()) throw RequestError("no measured record is given");
  ExperimentRequest request;
  for (const IdentifyOptions::Fit& fit : options.fit) {
    if (std::ranges::count(model.parameters, fit.name, &Parameter::name) == 0) {
      std::vector<std::string> names;
      for (const Parameter& parameter : model.parameters) names.push_back(parameter.name);
      throw RequestError("fit " + fit.name,
                         fmt::format("is not a parameter of the model{}", near_or_all(fit.name, names)));
    }
    request.parameters.push_back(fit.name);
  }
  request.starts = options.fit_start;
  request.use = options.use;
  for (const MeasuredRecord& record : records)
    experiments_.push_back(std::make_unique<Experiment>(model, record, request));
  check_fits(model, options, *experiments_.front());
  add_sensors();
  for (const IdentifyOptions::Fit& fit : options.fit) {
    const double own = experiments_.front()->own_value(fit.name);
    const bool open_low = std::isinf(fit.low), open_high = std::isinf(fit.high);
    const double low = !open_low || own == 0 ? fit.low : own > 0 ? own / most_change : own * most_change;
    const double high = !open_high || own == 0 ? fit.high : own > 0 ? own * most_change : own / most_change;
    Estimate estimate;
    estimate.name = fit.name, estimate.unit = fit_unit(model, fit.name), estimate.first = own;
    const double size = own != 0 ? std::abs(own) : std::isfinite(high - low) ? (high - low) / 2 : 1;
    add_unknown(estimate, low, high, size);
  }
  add_unknowns();
  add_tasks();
}

void FitProblem::add_unknown(Estimate estimate, double low, double high, double size) {
  const Index n = low_.size() + 1;
  low_.conservativeResize(n), high_.conservativeResize(n);
  low_[n - 1] = low, high_[n - 1] = high;
  sizes_.push_back(size);
  unknowns_.push_back(std::move(estimate));
}

// Start values, of each experiment, then offsets.
void FitProblem::add_unknowns() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const int shared = static_cast<int>(options_.fit.size());
  for (std::size_t e = 0; e < experiments_.size(); ++e) {
    unknown_of_.emplace_back();
    for (int k = 0; k < shared; ++k) unknown_of_.back().push_back(k);
    for (const std::string& name : options_.fit_start) {
      Estimate estimate;
      estimate.kind = Estimate::Kind::start, estimate.name = name;
      if (experiments_.size() > 1) estimate.experiment = static_cast<int>(e);
      estimate.first = experiments_[e]->own_value(name);
      // where it was measured, the first value says more than the file
      for (const Experiment::Column& column : experiments_[e]->columns())
        if (column.name == name) {
          estimate.unit = column.unit;
          const auto measured =
              std::ranges::find_if(column.of->values, [](double value) { return !std::isnan(value); });
          if (measured != column.of->values.end()) estimate.first = *measured;
        }
      unknown_of_.back().push_back(static_cast<int>(unknowns_.size()));
      add_unknown(estimate, -infinite, infinite, 1);
    }
  }
  offset_of_.assign(sensors_.size(), -1);
  for (const std::string& name : options_.offsets) {
    const int place = sensor(name);
    if (place < 0) throw RequestError("offset " + name, "is not a measured column that is compared");
    if (offset_of_[static_cast<std::size_t>(place)] >= 0) throw RequestError("offset " + name, "is given twice");
    offset_of_[static_cast<std::size_t>(place)] = static_cast<int>(unknowns_.size());
    Estimate estimate;
    estimate.kind = Estimate::Kind::offset, estimate.name = name;
    for (const auto& experiment : experiments_)
      for (const Experiment::Column& column : experiment->columns())
        if (column.name == name) estimate.unit = column.unit;
    const double spread = sensors_[static_cast<std::size_t>(place)].spread;
    add_unknown(estimate, -infinite, infinite, spread > 0 ? spread : 1);
  }
}

int FitProblem::sensor(const std::string& name) const {
  const auto found = std::ranges::find(sensors_, name, &Sensor::name);
  return found == sensors_.end() ? -1 : static_cast<int>(found - sensors_.begin());
}

// A row for every value that was measured.
void FitProblem::add_sensors() {
  for (const auto& experiment : experiments_)
    for (const Experiment::Column& column : experiment->columns())
      if (sensor(column.name) < 0) sensors_.push_back({column.name});
  for (Sensor& sensor : sensors_) {
    std::vector<const MeasuredColumn*> columns;
    for (const auto& experiment : experiments_)
      for (const Experiment::Column& column : experiment->columns())
        if (column.name == sensor.name) columns.push_back(column.of);
    sensor.spread = spread_of(columns);
    sensor.noise = sensor.spread > 0 ? sensor.spread : 1;
  }
  for (const auto& [name, noise] : options_.noise) {
    const int place = sensor(name);
    if (place < 0) throw RequestError("noise " + name, "is not a measured column that is compared");
    if (!(noise > 0)) throw RequestError("noise " + name, "must be positive");
    sensors_[static_cast<std::size_t>(place)].noise = noise, sensors_[static_cast<std::size_t>(place)].is_known = true;
  }
  for (const auto& experiment : experiments_) {
    row_of_.emplace_back();
    for (std::size_t k = 0; k < experiment->record().t.size(); ++k)
      for (const Experiment::Column& column : experiment->columns()) {
        const bool measured = !std::isnan(column.of->values[k]);
        row_of_.back().push_back(measured ? static_cast<Index>(group_.size()) : -1);
        if (!measured) continue;
        group_.push_back(sensor(column.name));
        ++sensors_[static_cast<std::size_t>(group_.back())].count;
      }
  }
}

void FitProblem::add_tasks() {
  const auto count = static_cast<Index>(experiments_.size());
  const Index threads = options_.threads > 0 ? options_.threads : usable_cores();
  for (std::size_t e = 0; e < experiments_.size(); ++e) {
    const Index variables = experiments_[e]->variables();
    const Index parts = std::clamp<Index>(threads / count, 1, std::max<Index>(1, variables / 3));
    for (Index part = 0; part < parts; ++part) {
      const Index first = variables * part / parts, end = variables * (part + 1) / parts;
      tasks_.push_back({e, first, end - first, std::make_unique<Experiment::Run>(*experiments_[e])});
    }
  }
}

VectorXd FitProblem::first() const {
  VectorXd x(static_cast<Index>(unknowns_.size()));
  for (Index k = 0; k < x.size(); ++k) x[k] = unknowns_[static_cast<std::size_t>(k)].first;
  return x;
}

VectorXd FitProblem::values_for(std::size_t experiment, const VectorXd& x) const {
  const std::vector<int>& unknown = unknown_of_[experiment];
  VectorXd values(static_cast<Index>(unknown.size()));
  for (Index k = 0; k < values.size(); ++k) values[k] = x[unknown[static_cast<std::size_t>(k)]];
  return values;
}

VectorXd FitProblem::sizes_for(std::size_t experiment) const {
  return values_for(experiment, Eigen::Map<const VectorXd>(sizes_.data(), static_cast<Index>(sizes_.size())));
}

// Each task in a thread of its own, no more at a time than are wanted; this one looks after them.
void FitProblem::run_tasks(const VectorXd& x, double part) {
  const std::size_t threads = static_cast<std::size_t>(options_.threads > 0 ? options_.threads : usable_cores());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < tasks_.size(); k = next++) {
      Task& task = tasks_[k];
      const double until = part < 1 ? part * experiments_[task.experiment]->record().t.back() : 0;
      task.status = task.run->run(values_for(task.experiment, x), sizes_for(task.experiment), task.first, task.count,
                                  until, stop_);
    }
  };
  std::vector<std::future<void>> workers;
  for (std::size_t k = 0; k < std::min(threads, tasks_.size()); ++k)
    workers.push_back(std::async(std::launch::async, work));
  for (std::future<void>& worker : workers)
    while (worker.wait_for(patience) != std::future_status::ready)
      if (options_.progress && !options_.progress({})) stop_ = true;
  for (std::future<void>& worker : workers) worker.get();
}

Linearized FitProblem::evaluate(const VectorXd& x, double part) {
  Linearized result;
  run_tasks(x, part);
  result.r.setZero(measurements());
  result.J.setZero(measurements(), x.size());
  for (const Task& task : tasks_) {
    if (task.status != RunStatus::finished) {
      result.failure = experiments_.size() > 1
                           ? fmt::format("{}: {}", experiments_[task.experiment]->record().file, task.run->sentence())
                           : task.run->sentence();
      return result;
    }
    gather(task, x, part, result);
  }
  return result;
}

// The rows of an experiment come from the first of its tasks, columns from each.
void FitProblem::gather(const Task& task, const VectorXd& x, double part, Linearized& result) const {
  const Experiment& experiment = *experiments_[task.experiment];
  const double until = part * experiment.record().t.back();
  const MatrixXd &values = task.run->values(), &derivatives = task.run->derivatives();
  const auto columns = static_cast<Index>(experiment.columns().size());
  for (Index k = 0; k < task.run->samples() && experiment.record().t[static_cast<std::size_t>(k)] <= until; ++k)
    for (Index c = 0; c < columns; ++c) {
      const Index row = row_of_[task.experiment][static_cast<std::size_t>(k * columns + c)];
      if (row < 0) continue;
      const auto group = static_cast<std::size_t>(group_[static_cast<std::size_t>(row)]);
      const double noise = sensors_[group].noise;
      for (Index j = 0; j < task.count; ++j)
        result.J(row, unknown_of_[task.experiment][static_cast<std::size_t>(task.first + j)]) =
            derivatives(k * columns + c, j) / noise;
      if (task.first > 0) continue;
      const int offset = offset_of_[group];
      const double measured = experiment.columns()[static_cast<std::size_t>(c)].of->values[static_cast<std::size_t>(k)];
      result.r[row] = (values(k, c) + (offset >= 0 ? x[offset] : 0) - measured) / noise;
      if (offset >= 0) result.J(row, offset) = 1 / noise;
    }
}

MatrixXd FitProblem::simulated(std::size_t experiment, const VectorXd& x, Findings& findings) {
  for (Task& task : tasks_) {
    if (task.experiment != experiment) continue;
    const std::atomic<bool> go_on = false;
    if (task.run->run(values_for(experiment, x), sizes_for(experiment), 0, 0, 0, go_on) == RunStatus::failed &&
        task.run->samples() == 0)
      return {};
    append(task.run->findings(), findings);
    MatrixXd values = task.run->values();
    values.bottomRows(values.rows() - task.run->samples()).setConstant(std::numeric_limits<double>::quiet_NaN());
    for (Index c = 0; c < values.cols(); ++c) {
      const int offset = offset_of_[static_cast<std::size_t>(
          sensor(experiments_[experiment]->columns()[static_cast<std::size_t>(c)].name))];
      if (offset >= 0) values.col(c).array() += x[offset];
    }
    return values;
  }
  return {};
}

}  // namespace armature::internal
