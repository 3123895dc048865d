#include "identify/identification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "identify/combination_words.hpp"
#include "identify/fit_problem.hpp"
#include "identify/least_squares.hpp"
#include "model/counted.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int noise_rounds = 8;
constexpr double noise_change = 0.02;  // relative: the noise stays
constexpr double rough = 0.3;          // relative offset while the noise is not known yet
constexpr double least_noise = 1e-9;   // of the spread of a sensor: below it the residuals are round-off
constexpr double poor_fit = 0.3;       // of the spread: residuals as large as this are no fit
constexpr double strong_correlation = 0.95;
constexpr double other_noise = 0.2;  // relative: residuals that differ so much from a given noise are reported

// One identification: searches, with the noise estimated between them.
class Identification {
 public:
  Identification(FitProblem& problem, const IdentifyOptions& options) : problem_(problem), options_(options) {}

  LeastSquaresResult run() {
    LeastSquaresResult found = with_noise(problem_.first());
    if (found.status == LeastSquaresStatus::stopped || found.status == LeastSquaresStatus::no_value || !is_poor(found))
      return found;
    // From values far off, the end of a long motion says little: beginnings of the records come first.
    reset_noise();
    VectorXd x = problem_.first();
    for (const double part : {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2}) {
      const LeastSquaresResult beginning = search(x, part, rough);
      if (beginning.status == LeastSquaresStatus::stopped) return found;
      if (beginning.status != LeastSquaresStatus::no_value) x = beginning.x;
    }
    const std::vector<FitProblem::Sensor> before = sensors_of_first_;
    LeastSquaresResult second = with_noise(x);
    if (second.status == LeastSquaresStatus::no_value || spread_left(second) > spread_left_first_) {
      problem_.sensors() = before;
      return found;
    }
    return second;
  }

  int evaluations() const { return evaluations_; }

 private:
  LeastSquaresResult search(const VectorXd& x, double part, double tolerance) {
    LeastSquaresOptions options;
    options.low = problem_.low(), options.high = problem_.high();
    options.huber = options_.robust;
    options.evaluations = options_.evaluations;
    options.tolerance = tolerance;
    options.stop = [&] { return problem_.stopped(); };
    options.progress = [&](int, double cost) {
      ++evaluations_;
      const double rms = std::sqrt(2 * cost / std::max<double>(1, static_cast<double>(problem_.measurements())));
      const bool goes_on =
          !options_.progress ||
          options_.progress(fmt::format("evaluation {}, residuals {:.4g} times their noise", evaluations_, rms));
      if (!goes_on) problem_.stop();
    };
    return minimize_squares([&](const VectorXd& at) { return problem_.evaluate(at, part); }, x, options);
  }

  // The noise is that of the residuals, which depend on it: a few rounds, and a search to the end with the noise of the last.
  LeastSquaresResult with_noise(VectorXd x) {
    LeastSquaresResult found;
    for (int round = 0; round < noise_rounds; ++round) {
      found = search(x, 1, rough);
      if (found.status == LeastSquaresStatus::no_value || found.status == LeastSquaresStatus::stopped) break;
      x = found.x;
      if (update_noise(found) < noise_change) break;
    }
    if (found.status != LeastSquaresStatus::no_value && found.status != LeastSquaresStatus::stopped) {
      found = search(x, 1, LeastSquaresOptions{}.tolerance);
    }
    remember(found);
    return found;
  }

  // Returns the largest relative change.
  double update_noise(const LeastSquaresResult& found) {
    const double n = static_cast<double>(problem_.measurements());
    const double freedom = std::max(0.1, 1 - static_cast<double>(found.x.size()) / n);
    double change = 0;
    std::vector<std::vector<double>> residuals(problem_.sensors().size());
    for (Index i = 0; i < found.r.size(); ++i)
      residuals[static_cast<std::size_t>(problem_.sensor_of()[static_cast<std::size_t>(i)])].push_back(found.r[i]);
    for (std::size_t k = 0; k < residuals.size(); ++k) {
      FitProblem::Sensor& sensor = problem_.sensors()[k];
      if (sensor.is_known || residuals[k].empty()) continue;
      const double factor =
          options_.robust ? robust_deviation(residuals[k]) : deviation(residuals[k]) / std::sqrt(freedom);
      const double floor = least_noise * (sensor.spread > 0 ? sensor.spread : 1);
      const double noise = std::max(sensor.noise * factor, floor);
      change = std::max(change, std::abs(noise - sensor.noise) / noise);
      sensor.noise = noise;
    }
    return change;
  }

  static double deviation(const std::vector<double>& r) {
    double squares = 0;
    for (const double x : r) squares += x * x;
    return std::sqrt(squares / static_cast<double>(r.size()));
  }
  // The median of the sizes, scaled to the standard deviation of normal noise.
  static double robust_deviation(std::vector<double> r) {
    for (double& x : r) x = std::abs(x);
    const auto middle = r.begin() + static_cast<std::ptrdiff_t>(r.size() / 2);
    std::nth_element(r.begin(), middle, r.end());
    return *middle / 0.6744897501960817;
  }

  void reset_noise() {
    for (FitProblem::Sensor& sensor : problem_.sensors())
      if (!sensor.is_known) sensor.noise = sensor.spread > 0 ? sensor.spread : 1;
  }

  // The largest part of a sensor's spread that the fit leaves over.
  double spread_left(const LeastSquaresResult& found) {
    std::vector<double> squares(problem_.sensors().size(), 0);
    for (Index i = 0; i < found.r.size(); ++i) {
      const auto k = static_cast<std::size_t>(problem_.sensor_of()[static_cast<std::size_t>(i)]);
      squares[k] += found.r[i] * found.r[i];
    }
    double most = 0;
    for (std::size_t k = 0; k < squares.size(); ++k) {
      const FitProblem::Sensor& sensor = problem_.sensors()[k];
      if (sensor.count > 0 && sensor.spread > 0)
        most = std::max(most, std::sqrt(squares[k] / static_cast<double>(sensor.count)) * sensor.noise / sensor.spread);
    }
    return most;
  }
  bool is_poor(const LeastSquaresResult& found) { return spread_left(found) > poor_fit; }
  void remember(const LeastSquaresResult& found) {
    if (!sensors_of_first_.empty()) return;
    sensors_of_first_ = problem_.sensors();
    spread_left_first_ = found.r.size() > 0 ? spread_left(found) : std::numeric_limits<double>::infinity();
  }

  FitProblem& problem_;
  const IdentifyOptions& options_;
  std::vector<FitProblem::Sensor> sensors_of_first_;
  double spread_left_first_ = 0;
  int evaluations_ = 0;
};

bool noise_is_known(const FitProblem& problem) {
  return std::ranges::all_of(problem.sensors(),
                             [](const FitProblem::Sensor& sensor) { return sensor.is_known || sensor.count == 0; });
}

// Of a weighted residual: 1 where the noise was given, whatever the residuals are; elsewhere that of the residuals, r^2/(1 - p/n). With
// Huber's loss (Huber, Robust Statistics, 1981, section 7.6):  sum psi^2/(n - p) / mean(psi')^2  for J'J, and the mean weight more for J'W J,
// of which R is the factor; outliers are no part of a given noise, so that residuals count there, too.
double residual_variance(const FitProblem& problem, const LeastSquaresResult& found, bool robust) {
  const double n = static_cast<double>(found.r.size()),
               freedoms = std::max(1.0, n - static_cast<double>(found.x.size()));
  if (!robust) {
    double sum = 0;
    for (Index i = 0; i < found.r.size(); ++i) {
      const auto sensor = static_cast<std::size_t>(problem.sensor_of()[static_cast<std::size_t>(i)]);
      sum += problem.sensors()[sensor].is_known ? 1 : found.r[i] * found.r[i] * n / freedoms;
    }
    return sum / n;
  }
  double squares = 0, inside = 0, weights = 0;
  for (Index i = 0; i < found.r.size(); ++i) {
    const double psi = found.weights[i] * found.r[i];
    squares += psi * psi, weights += found.weights[i];
    inside += std::abs(found.r[i]) <= huber_bound ? 1 : 0;
  }
  const double share = std::max(inside / n, 0.1);
  return squares / freedoms * (weights / n) / (share * share);
}

std::vector<double> estimate_sizes(const FitProblem& problem, const std::vector<Estimate>& estimates) {
  std::vector<double> sizes = problem.sizes();
  for (std::size_t k = 0; k < estimates.size(); ++k)
    if (estimates[k].kind == Estimate::Kind::parameter && estimates[k].value != 0)
      sizes[k] = std::abs(estimates[k].value);
  return sizes;
}

void fill_estimates(const Model& model, FitProblem& problem, const LeastSquaresResult& found, bool robust,
                    IdentifyResult& result) {
  std::vector<Estimate> estimates = problem.unknowns();
  for (std::size_t k = 0; k < estimates.size(); ++k) {
    estimates[k].value = found.x[static_cast<Index>(k)];
    estimates[k].bound = found.held[k];
  }
  InformationRequest request;
  request.R = found.R;
  request.variance = residual_variance(problem, found, robust);
  request.variance_is_known = !robust && noise_is_known(problem);
  request.measurements = static_cast<double>(problem.measurements());
  request.sizes = estimate_sizes(problem, estimates);
  for (const Parameter& parameter : model.parameters) {
    const auto fitted = std::ranges::find(estimates, parameter.name, &Estimate::name);
    const bool is_fitted = fitted != estimates.end() && fitted->kind == Estimate::Kind::parameter;
    request.parameters.emplace_back(parameter.name, is_fitted ? fitted->value : parameter.value);
  }
  result.information = find_information(request, estimates);
  result.estimates = std::move(estimates);
}

void fill_columns(FitProblem& problem, const VectorXd& x, IdentifyResult& result) {
  // Each record is simulated with the values found, and every column compared with what was measured.
  for (std::size_t e = 0; e < problem.experiments().size(); ++e) {
    const Experiment& experiment = *problem.experiments()[e];
    result.experiments.push_back({experiment.record().file, experiment.record().t, experiment.inputs()});
    Findings findings;
    const Eigen::MatrixXd simulated = problem.simulated(e, x, findings);
    for (const std::string& warning : warnings_among(findings))
      result.warnings.push_back(fmt::format("a run with these values warns: {}", warning));
    if (simulated.rows() == 0) continue;
    for (std::size_t c = 0; c < experiment.columns().size(); ++c) {
      const FitProblem::Sensor& sensor =
          problem.sensors()[static_cast<std::size_t>(problem.sensor(experiment.columns()[c].name))];
      IdentifyResult::Column column;
      column.name = sensor.name, column.unit = experiment.columns()[c].unit, column.experiment = static_cast<int>(e);
      column.noise = sensor.noise, column.noise_is_known = sensor.is_known;
      column.measured = experiment.columns()[c].of->values;
      column.simulated.assign(simulated.col(static_cast<Index>(c)).begin(), simulated.col(static_cast<Index>(c)).end());
      std::vector<double> residuals(column.measured.size());
      for (std::size_t k = 0; k < residuals.size(); ++k) residuals[k] = column.measured[k] - column.simulated[k];
      column.residuals = analyze_residuals(experiment.record().t, residuals);
      result.columns.push_back(std::move(column));
    }
  }
}

// Intervals rest on a noise that was given: residuals of another size tell that it is not that of the column.
void add_words_about_noise(const IdentifyResult::Column& column, IdentifyResult& result) {
  if (!column.noise_is_known || column.residuals.count == 0) return;
  const double ratio = column.residuals.rms / column.noise,
               chance = 3 / std::sqrt(2 * static_cast<double>(column.residuals.count));
  if (std::abs(ratio - 1) <= std::max(chance, other_noise)) return;
  result.warnings.push_back(
      fmt::format("the residuals of {} are {:.3g} times the noise that was given for it: {}", column.name, ratio,
                  ratio > 1 ? "the noise is larger, or the model misses something, and the intervals are too narrow"
                            : "the noise is smaller, and the intervals are too wide"));
}

void add_words(const FitProblem& problem, IdentifyResult& result) {
  // Where derivatives are differences, or were missing: once for all records of that kind.
  for (const auto& experiment : problem.experiments())
    if (const std::string& why = experiment->without_derivatives(); !why.empty()) {
      result.notes.push_back(fmt::format("derivatives are differences of motions: the model {}", why));
      break;
    }
  for (const auto& experiment : problem.experiments())
    if (const std::string sentence = experiment->missing_derivatives().sentence(); !sentence.empty())
      result.notes.push_back(sentence);
  // What the data do not determine, and what ended at a bound.
  for (const UndeterminedDirection& direction : result.information.undetermined)
    result.warnings.push_back(direction.sentence);
  for (const Estimate& estimate : result.estimates)
    if (estimate.bound != 0)
      result.warnings.push_back(fmt::format("{} is at the {} end of its range: the data ask for {} value",
                                            words_of(estimate), estimate.bound < 0 ? "lower" : "upper",
                                            estimate.bound < 0 ? "a smaller" : "a larger"));
  // Residuals that are no noise, which makes the intervals too narrow.
  for (const IdentifyResult::Column& column : result.columns) {
    const ResidualAnalysis& r = column.residuals;
    if (r.count < 20 || r.is_white()) continue;
    const std::string where =
        result.experiments.size() > 1
            ? fmt::format(" in {}", result.experiments[static_cast<std::size_t>(column.experiment)].file)
            : "";
    result.warnings.push_back(
        fmt::format("the residuals of {}{} are not noise: neighbors correlate by {:.2f}, most of their power is near "
                    "{:.3g} Hz; the "
                    "model misses something that the data show, and the intervals are too narrow",
                    column.name, where, r.neighbor_correlation, r.peak_frequency));
  }
  for (const IdentifyResult::Column& column : result.columns) add_words_about_noise(column, result);
  // Pairs of parameters that the data hardly tell apart.
  const Eigen::MatrixXd& correlation = result.information.correlation;
  for (Index i = 0; i < correlation.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (std::abs(correlation(i, j)) > strong_correlation)
        result.notes.push_back(fmt::format(
            "{} and {} are correlated by {:.3f}: the data determine a combination of them better than either",
            words_of(result.estimates[static_cast<std::size_t>(j)]),
            words_of(result.estimates[static_cast<std::size_t>(i)]), correlation(i, j)));
}

std::string ending(const LeastSquaresResult& found, const IdentifyOptions& options, long measurements) {
  const std::string of = fmt::format("{} fitted to {}", counted(static_cast<long>(found.x.size()), "unknown"),
                                     counted(measurements, "measured value"));
  switch (found.status) {
    case LeastSquaresStatus::converged: return of;
    case LeastSquaresStatus::stalled:
      return of +
             ", but not to the end: no step makes the residuals smaller; a smaller rtol makes the motion smoother in "
             "its parameters";
    case LeastSquaresStatus::exhausted:
      return fmt::format(
          "{}, but not to the end: {} evaluations were not enough (--evaluations); start values or ranges nearer to "
          "the solution need fewer",
          of, options.evaluations);
    default: return of + ", stopped before the end";
  }
}

}  // namespace

IdentifyResult identify(const Model& model, const std::vector<MeasuredRecord>& records,
                        const IdentifyOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  FitProblem problem(model, records, options);
  if (problem.measurements() <= static_cast<Index>(problem.unknowns().size()))
    throw RequestError(fmt::format("{} cannot determine {}",
                                   counted(static_cast<long>(problem.measurements()), "measured value"),
                                   counted(static_cast<long>(problem.unknowns().size()), "unknown")));
  Identification search(problem, options);
  const LeastSquaresResult found = search.run();
  if (found.status == LeastSquaresStatus::no_value)
    throw ComputationError(
        fmt::format("the motion with the first values does not reach the end of the record: {}; begin with other "
                    "values (--set), or with a shorter record",
                    found.failure));
  IdentifyResult result;
  result.measurements = static_cast<long>(problem.measurements());
  result.evaluations = search.evaluations();
  result.sentence = ending(found, options, result.measurements);
  result.status = found.status == LeastSquaresStatus::converged ? IdentifyStatus::converged
                  : found.status == LeastSquaresStatus::stopped ? IdentifyStatus::stopped
                                                                : IdentifyStatus::not_converged;
  if (found.r.size() > 0) {
    fill_estimates(model, problem, found, options.robust, result);
    fill_columns(problem, found.x, result);
    add_words(problem, result);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace armature::internal
