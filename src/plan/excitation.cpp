#include "plan/excitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <random>

#include "identify/experiment.hpp"
#include "linear/decompositions.hpp"
#include "model/formula_tree.hpp"
#include "model/request_error.hpp"
#include "model/scope.hpp"
#include "plan/model_limits.hpp"
#include "study/optimize.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int harmonics = 5;
constexpr double coefficient_found = 1e-3;    // of its range: the search is as near as that
constexpr double no_signal = 1e-12;           // of a coefficient: a series that is zero is scaled to nothing
constexpr int screened = 24;                  // random series
constexpr int improved = 120;                 // evaluations from the best of them
constexpr double unknown_information = 1e-6;  // of a parameter of which nothing is known: a relative deviation of 1000

struct DrivenInput {
  std::string name, unit;
  double most;  // of either sign
};

double largest_in(const std::vector<MeasuredRecord>& records, const std::string& name) {
  double largest = 0;
  for (const MeasuredRecord& record : records)
    for (const MeasuredColumn& column : record.columns)
      for (const double value : column.values)
        if (column.name == name && !std::isnan(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

// Where an input commands a motor, the motor's limit is its range; else it stays within what the records show of it.
std::vector<DrivenInput> driven_inputs(const Model& model, const std::vector<MeasuredRecord>& records) {
  std::vector<DrivenInput> inputs;
  for (const HostInput& input : model.inputs) {
    double most = largest_in(records, input.name);
    for (const Drive& drive : model.drives)
      if (drive.command.is.text == input.name)
        if (const Formula& bound = drive.limit(drive.command.quantity); bound.given())
          most = evaluate_constant(bound, model);
    if (most > 0) inputs.push_back({input.name, input.unit, most});
  }
  if (inputs.empty())
    throw RequestError("excite",
                       "the model has no input that the records drive; declare the voltage or the force that is to be "
                       "chosen under 'inputs'");
  return inputs;
}

std::string coefficient(const std::string& input, int k) { return fmt::format("excite_{}_{}", input, k); }

// The model whose inputs are series with parameters for coefficients.
Model with_series(Model model, const std::vector<DrivenInput>& inputs, double length) {
  // Each input becomes a definition: a sum of sines and cosines of multiples of one period in the record.
  for (const DrivenInput& input : inputs) {
    const auto host = std::ranges::find(model.inputs, input.name, &HostInput::name);
    std::string series;
    for (int k = 0; k < 2 * harmonics; ++k) {
      Parameter parameter;
      parameter.name = coefficient(input.name, k);
      parameter.formula = number_formula(0);
      parameter.dimension = host->dimension;
      model.parameters.push_back(parameter);
      const double w = 2 * std::numbers::pi * (k / 2 + 1) / length;
      series +=
          fmt::format("{}{}*{}({:.17g}*(t/(1 s)))", k == 0 ? "" : " + ", parameter.name, k % 2 == 0 ? "sin" : "cos", w);
    }
    model.definitions.insert(model.definitions.begin(), {input.name, parse_formula(series, {})});
    model.inputs.erase(host);
  }
  return model;
}

class ExcitationSearch {
 public:
  ExcitationSearch(const Model& model, const std::vector<MeasuredRecord>& records, const IdentifyOptions& options,
                   const IdentifyResult& found)
      : options_(options), inputs_(driven_inputs(model, records)) {
    const MeasuredRecord& longest = *std::ranges::max_element(
        records, {}, [](const MeasuredRecord& record) { return record.t.back() - record.t.front(); });
    const double length = longest.t.back() - longest.t.front();
    Model smooth = model;
    for (const ModelLimit& limit : take_limits(smooth))
      if (std::ranges::count(inputs_, limit.signal, &DrivenInput::name) == 0 && !is_command(model, limit.signal))
        limits_.push_back(limit);
    // the new record: the columns that are compared, then what is limited
    MeasuredRecord record;
    record.file = "excitation";
    for (const double t : longest.t) record.t.push_back(t - longest.t.front());
    for (const IdentifyResult::Column& column : found.columns)
      if (column.experiment == 0) add_column(record, column.name), noise_.push_back(column.noise);
    for (const ModelLimit& limit : limits_) add_column(record, limit.signal);
    record.columns.shrink_to_fit();
    ExperimentRequest request;
    for (const IdentifyOptions::Fit& fit : options.fit) request.parameters.push_back(fit.name);
    fitted_ = static_cast<Index>(request.parameters.size());
    for (const DrivenInput& input : inputs_)
      for (int k = 0; k < 2 * harmonics; ++k) request.parameters.push_back(coefficient(input.name, k));
    t_ = record.t;
    experiment_ = std::make_unique<Experiment>(with_series(std::move(smooth), inputs_, length), record, request);
    run_ = std::make_unique<Experiment::Run>(*experiment_);
    take_information(found);
  }

  Excitation search() {
    const auto n = static_cast<std::size_t>(2 * harmonics) * inputs_.size();
    // Series at random (always the same ones): the one with most information that keeps all limits is where the search
    // begins.
    std::mt19937 draw(1);
    std::uniform_real_distribution<double> within(-1, 1);
    std::vector<double> best(n);
    double most = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < screened && !stop_; ++k) {
      std::vector<double> point(n);
      for (double& value : point) value = within(draw);
      Evaluation evaluation;
      evaluation.point = point;
      if (!evaluate(evaluation)) break;
      if (evaluation.feasible() && -evaluation.objective > most) most = -evaluation.objective, best = point;
    }
    if (!std::isfinite(most) && !stop_)
      throw ComputationError(
          "no series of the inputs within their ranges keeps the limits of the machine and gets to the end of the "
          "record");
    // A search without derivatives from there, within the box of all coefficients.
    std::vector<Axis> box(n);
    for (Axis& axis : box) axis.from = -1, axis.to = 1;
    MinimizeOptions minimizing{limits_.empty() ? "bobyqa" : "cobyla", improved, coefficient_found};
    if (!stop_) {
      const Minimum minimum = minimize(
          box, best, static_cast<int>(limits_.size()), [&](Evaluation& evaluation) { return evaluate(evaluation); },
          minimizing);
      if (minimum.best >= 0) best = minimum.evaluations[static_cast<std::size_t>(minimum.best)].point;
    }
    return described(best);
  }

 private:
  static bool is_command(const Model& model, const std::string& signal) {
    return std::ranges::any_of(model.drives, [&](const Drive& drive) {
      return signal == drive.name + "." + drive.command.quantity &&
             std::ranges::count(model.inputs, drive.command.is.text, &HostInput::name) > 0;
    });
  }
  static void add_column(MeasuredRecord& record, const std::string& name) {
    record.columns.push_back({name, "", {}, std::vector<double>(record.t.size(), 0.0)});
  }

  // The marginal information of the parameters, as relative changes.
  void take_information(const IdentifyResult& found) {
    values_.resize(fitted_);
    information_ = unknown_information * MatrixXd::Identity(fitted_, fitted_);
    // Parameters that the data determine have a deviation; the others count as unknown.
    std::vector<Index> known;
    for (Index k = 0; k < fitted_; ++k) {
      values_[k] = found.estimates[static_cast<std::size_t>(k)].value;
      if (std::isfinite(found.estimates[static_cast<std::size_t>(k)].deviation)) known.push_back(k);
    }
    sizes_ = values_.cwiseAbs();
    for (Index k = 0; k < fitted_; ++k)
      if (sizes_[k] == 0) sizes_[k] = 1;
    const auto d = static_cast<Index>(known.size());
    // The inverse of their covariance, relative to their values.
    if (d == 0) return;
    MatrixXd covariance(d, d);
    for (Index i = 0; i < d; ++i)
      for (Index k = 0; k < d; ++k)
        covariance(i, k) =
            found.information.correlation(known[static_cast<std::size_t>(i)], known[static_cast<std::size_t>(k)]) *
            relative(found, known[static_cast<std::size_t>(i)]) * relative(found, known[static_cast<std::size_t>(k)]);
    const MatrixXd inverse = solve_square(covariance, MatrixXd(MatrixXd::Identity(d, d)));
    for (Index i = 0; i < d; ++i)
      for (Index k = 0; k < d; ++k)
        information_(known[static_cast<std::size_t>(i)], known[static_cast<std::size_t>(k)]) += inverse(i, k);
  }
  double relative(const IdentifyResult& found, Index k) const {
    return found.estimates[static_cast<std::size_t>(k)].deviation / sizes_[k];
  }

  // The series fills the range of its input: coefficients over the largest value of the series.
  VectorXd variables_at(const std::vector<double>& point) const {
    VectorXd values(fitted_ + static_cast<Index>(point.size()));
    values.head(fitted_) = values_;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const double* a = point.data() + i * 2 * harmonics;
      double largest = no_signal;
      for (const double t : t_) largest = std::max(largest, std::abs(series(a, t)));
      for (int k = 0; k < 2 * harmonics; ++k)
        values[fitted_ + static_cast<Index>(i) * 2 * harmonics + k] = a[k] * inputs_[i].most / largest;
    }
    return values;
  }
  double series(const double* a, double t) const {
    double sum = 0;
    for (int k = 0; k < 2 * harmonics; ++k) {
      const double w = 2 * std::numbers::pi * (k / 2 + 1) / t_.back();
      sum += a[k] * (k % 2 == 0 ? std::sin(w * t) : std::cos(w * t));
    }
    return sum;
  }

  bool run(const std::vector<double>& point) {
    if (options_.progress && !options_.progress(fmt::format("excitation, motion {}", evaluations_ + 1))) stop_ = true;
    ++evaluations_;
    const VectorXd values = variables_at(point);
    VectorXd sizes = VectorXd::Ones(values.size());
    sizes.head(fitted_) = sizes_;
    return !stop_ && run_->run(values, sizes, 0, fitted_, 0, stop_) == RunStatus::finished;
  }
  MatrixXd gathered() const {
    MatrixXd sum = information_;
    const auto columns = static_cast<Index>(experiment_->columns().size());
    for (Index row = 0; row < run_->derivatives().rows(); ++row) {
      const auto column = static_cast<std::size_t>(row % columns);
      if (column >= noise_.size()) continue;
      const VectorXd s = run_->derivatives().row(row).transpose().cwiseProduct(sizes_) / noise_[column];
      sum += s * s.transpose();
    }
    return sum;
  }
  bool evaluate(Evaluation& evaluation) {
    const bool arrived = run(evaluation.point);
    if (stop_) return false;
    evaluation.objective = std::numeric_limits<double>::quiet_NaN();
    evaluation.inequalities.assign(limits_.size(), std::numeric_limits<double>::quiet_NaN());
    if (!arrived) return true;
    // The objective: minus the logarithm of the determinant of the information, old and new.
    const double size = determinant(gathered());
    evaluation.objective = size > 0 ? -std::log(size) : std::numeric_limits<double>::quiet_NaN();
    // By how much each limit is exceeded, over its range.
    for (std::size_t k = 0; k < limits_.size(); ++k) {
      const auto signal = run_->values().col(static_cast<Index>(noise_.size() + k));
      const double range = limits_[k].high - limits_[k].low, scale = std::isfinite(range) ? range : 1;
      evaluation.inequalities[k] =
          std::max(signal.maxCoeff() - limits_[k].high, limits_[k].low - signal.minCoeff()) / scale;
    }
    return true;
  }

  Excitation described(const std::vector<double>& point) {
    Excitation result;
    result.stopped = stop_;
    result.evaluations = evaluations_;
    for (const DrivenInput& input : inputs_) result.inputs.push_back(input.name), result.units.push_back(input.unit);
    for (const IdentifyOptions::Fit& fit : options_.fit) result.parameters.push_back(fit.name);
    result.t = t_;
    // The signals of the inputs, in the rows of the record.
    const VectorXd variables = variables_at(point);
    result.values.resize(static_cast<Index>(t_.size()), static_cast<Index>(inputs_.size()));
    for (Index i = 0; i < result.values.cols(); ++i)
      for (Index k = 0; k < result.values.rows(); ++k)
        result.values(k, i) = series(variables.data() + fitted_ + i * 2 * harmonics, t_[static_cast<std::size_t>(k)]);
    if (stop_ || !run(point)) return result;
    // Deviations by the information as it was, and as it would be with this record added.
    const auto deviations = [&](const MatrixXd& information) {
      const MatrixXd covariance = solve_square(information, MatrixXd(MatrixXd::Identity(fitted_, fitted_)));
      std::vector<double> list;
      for (Index k = 0; k < fitted_; ++k)
        list.push_back(covariance(k, k) < 1 ? std::sqrt(covariance(k, k)) * sizes_[k]
                                            : std::numeric_limits<double>::infinity());
      return list;
    };
    result.now = deviations(information_), result.then = deviations(gathered());
    if (const std::string& why = experiment_->without_derivatives(); !why.empty())
      result.notes.push_back(fmt::format("derivatives are differences of motions: the model {}", why));
    return result;
  }

  const IdentifyOptions& options_;
  std::vector<DrivenInput> inputs_;
  std::vector<ModelLimit> limits_;
  std::vector<double> noise_, t_;
  Index fitted_ = 0;
  VectorXd values_, sizes_;
  MatrixXd information_;
  std::unique_ptr<Experiment> experiment_;
  std::unique_ptr<Experiment::Run> run_;
  std::atomic<bool> stop_ = false;
  int evaluations_ = 0;
};

}  // namespace

Excitation excite(const Model& model, const std::vector<MeasuredRecord>& records, const IdentifyOptions& options,
                  const IdentifyResult& found) {
  if (options.fit.empty())
    throw RequestError("excite", "there is no parameter of which an experiment could tell more (--fit)");
  return ExcitationSearch(model, records, options, found).search();
}

}  // namespace armature::internal
