#include "study/optimization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

#include "sensitivity/missing_derivatives.hpp"
#include "study/design_cases.hpp"
#include "study/failures.hpp"
#include "study/inverse_study_motion.hpp"
#include "study/motion_gradient.hpp"
#include "study/motion_warnings.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

constexpr double objective_round_off = 1e-12;  // relative

// "a <= b" as the number a - b, which must not be positive.
std::string excess_of(const std::string& text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth > 0 || (text[k] != '<' && text[k] != '>')) continue;
    const std::size_t right = k + (k + 1 < text.size() && text[k + 1] == '=' ? 2 : 1);
    const std::string a = text.substr(0, k), b = text.substr(right);
    if (b.find_first_of("<>") != std::string::npos)
      throw RequestError("subject " + text, "expected one comparison; give each comparison separately");
    return text[k] == '<' ? fmt::format("({}) - ({})", a, b) : fmt::format("({}) - ({})", b, a);
  }
  throw RequestError("subject " + text, "expected a comparison, such as max(x) <= 5");
}

// The evaluations of one search as numbers of fixed count: how many, the best, then one row each.
class SearchRecord {
 public:
  SearchRecord(std::size_t variables, std::size_t inequalities, int evaluations)
      : variables_(variables), inequalities_(inequalities), rows_(static_cast<std::size_t>(evaluations)) {}

  std::size_t row_size() const { return variables_ + 1 + inequalities_ + 2; }
  int width() const { return static_cast<int>(2 + rows_ * row_size()); }

  void write(const Minimum& minimum, std::span<double> out) const {
    out[0] = static_cast<double>(minimum.evaluations.size());
    out[1] = minimum.best;
    auto next = out.begin() + 2;
    for (const Evaluation& e : minimum.evaluations) {
      next = std::copy(e.point.begin(), e.point.end(), next);
      *next++ = e.objective;
      next = std::copy(e.inequalities.begin(), e.inequalities.end(), next);
      *next++ = e.failure;
      *next++ = e.warnings;
    }
    std::fill(next, out.end(), std::numeric_limits<double>::quiet_NaN());
  }

  Minimum read(std::span<const double> in) const {
    Minimum minimum;
    if (std::isnan(in[0])) return minimum;
    minimum.best = static_cast<int>(in[1]);
    auto next = in.begin() + 2;
    for (long k = 0; k < static_cast<long>(in[0]); ++k) {
      const auto end = next + static_cast<std::ptrdiff_t>(row_size());
      const auto objective = next + static_cast<std::ptrdiff_t>(variables_);
      minimum.evaluations.push_back({{next, objective}, *objective, {objective + 1, end - 2}, *(end - 2), *(end - 1)});
      next = end;
    }
    return minimum;
  }

 private:
  std::size_t variables_, inequalities_, rows_;
};

// The model's own values where they lie in the box, the middle otherwise; then a Sobol sequence.
Points start_points(const std::vector<Axis>& axes, const Model& model, int count) {
  Points points = sobol_points(axes, count, 1);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    points.values[d] = 0.5 * (axes[d].from + axes[d].to);
    for (const Parameter& parameter : model.parameters)
      if (parameter.name == axes[d].name && parameter.value >= axes[d].from && parameter.value <= axes[d].to)
        points.values[d] = parameter.value;
  }
  return points;
}

// The motions of a point, by a StudyRun or a GradientRun: one for each case of the design. False: stopped.
template <class Run>
class PointRun {
 public:
  PointRun(Run run, const DesignCases& design, bool maximizes, MissingDerivatives& missing)
      : run_(std::move(run)), design_(design), sign_(maximizes ? -1 : 1), missing_(missing) {}

  bool operator()(Evaluation& e, long combination) {
    const std::size_t cases = design_.cases(), subject = e.inequalities.size() / cases;
    for (std::size_t k = 0; k < cases; ++k) {
      const MotionStatus status = run_->run(design_.point(e.point, combination, k));
      e.failure = status == MotionStatus::finished ? 0 : reason_number(run_->sentence());
      if (e.failure != 0) {
        e.objective = std::numeric_limits<double>::quiet_NaN();
        e.cases.clear(), e.gradients.resize(0, 0), e.warnings = 0;
        return status != MotionStatus::stopped;
      }
      e.warnings = merged(e.warnings, warning_bits(run_->findings()));
      const double objective = sign_ * run_->values()[0];
      // a case without a value has none for the whole
      if (k == 0 || !(objective <= e.objective)) e.objective = std::isnan(e.objective) && k > 0 ? e.objective : objective;
      if (cases > 1) e.cases.push_back(objective);
      std::copy(run_->values().begin() + 1, run_->values().end(), e.inequalities.begin() + static_cast<std::ptrdiff_t>(k * subject));
      take_gradients(e, k);
    }
    return true;
  }

 private:
  static double merged(double a, double b) {
    return static_cast<double>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
  }
  void take_gradients(Evaluation& e, std::size_t k) {
    if constexpr (std::is_same_v<Run, std::shared_ptr<GradientRun>>) {
      if (!run_->no_derivative().empty()) missing_.add(run_->no_derivative());
      const Eigen::MatrixXd& g = run_->gradients();
      const auto cases = static_cast<Eigen::Index>(design_.cases()), subject = g.rows() - 1, place = static_cast<Eigen::Index>(k);
      if (k == 0) e.gradients.resize(cases * g.rows(), g.cols());
      e.gradients.row(place) = sign_ * g.row(0);
      e.gradients.middleRows(cases + place * subject, subject) = g.bottomRows(subject);
    }
  }

  Run run_;
  const DesignCases& design_;
  double sign_;
  MissingDerivatives& missing_;
};

using PointMotions = std::function<bool(Evaluation& evaluation, long combination)>;

// What one thread of the searches evaluates; gradients: null where the method takes none.
PointMotions motions_of(const Study& study, const GradientStudy* gradients, const DesignCases& design, bool maximizes,
                        MissingDerivatives& missing, const StopFlag& stop) {
  if (gradients)
    return PointRun<std::shared_ptr<GradientRun>>(std::make_shared<GradientRun>(*gradients, stop), design, maximizes, missing);
  return PointRun<std::shared_ptr<StudyRun>>(std::make_shared<StudyRun>(study, nullptr, stop), design, maximizes, missing);
}

// As it is kept: with the numbers of the choices, and of each condition the worst case.
void complete(Minimum& minimum, const DesignCases& design, long combination, std::size_t subject) {
  const std::vector<double> numbers = design.numbers(combination);
  for (Evaluation& e : minimum.evaluations) {
    e.point.insert(e.point.end(), numbers.begin(), numbers.end());
    for (std::size_t k = subject; k < e.inequalities.size(); ++k) {
      double& worst = e.inequalities[k % subject];
      if (!(e.inequalities[k] <= worst)) worst = e.inequalities[k];
    }
    e.inequalities.resize(subject);
  }
}

// Searches of one combination of choices after those of another, each from the same starts.
CellJob search_cells(const Points& starts, const std::vector<Axis>& box, const OptimizationResult& result,
                     const MinimizeOptions& options, const Study& study, const GradientStudy* gradients,
                     const DesignCases& design, const SearchRecord& record, std::atomic<long>& evaluated,
                     MissingDerivatives& missing) {
  CellJob job{starts.count() * design.combinations(), record.width(), [&, gradients](const StopFlag& stop) -> CellFunction {
                return [&, evaluate = motions_of(study, gradients, design, result.maximize, missing, stop)](
                           long index, std::span<double> out) {
                  const long combination = index / starts.count();
                  const double* from = starts[index % starts.count()];
                  const Objective objective = [&](Evaluation& e) {
                    const bool known = evaluate(e, combination);
                    ++evaluated;
                    return known;
                  };
                  const std::size_t subject = result.subject.size();
                  Minimum minimum = minimize(box, {from, from + starts.dimensions}, static_cast<int>(subject * design.cases()),
                                             objective, options, static_cast<int>(design.cases()));
                  complete(minimum, design, combination, subject);
                  record.write(minimum, out);
                  return !minimum.stopped;
                };
              }};
  job.parts_done = &evaluated, job.parts = options.evaluations;
  return job;
}

const char* default_method(bool inequalities) { return inequalities ? "cobyla" : "bobyqa"; }

std::string chosen_method(const OptimizationOptions& options) {
  // the worst of several cases is a condition on each of them
  const bool inequalities = !options.subject.empty() || !options.scenarios.empty() || !options.deviations.empty();
  const std::string method = options.method.empty() ? default_method(inequalities) : options.method;
  require_known(method, minimize_methods(), "method");
  if (!options.subject.empty() && !takes_inequalities(method))
    throw RequestError("method " + method, "does not accept conditions; use cobyla, gradient or direct");
  return method;
}

// Gradients for a method that uses them. Without them the default method takes over, and a note gives the reason.
std::unique_ptr<GradientStudy> gradients_of(const Study& study, const DesignCases& design, OptimizationResult& result) {
  if (!takes_gradients(result.method)) return nullptr;
  if (const std::string why = study.rows() ? "is that of inverse dynamics" : GradientStudy::missing(study);
      !why.empty()) {
    result.method = default_method(!result.subject.empty() || design.cases() > 1);
    result.note =
        fmt::format("there are no exact gradients: the model {}; {} searches without them", why, result.method);
    return nullptr;
  }
  std::vector<double> ranges;
  for (std::size_t d = 0; d < result.variables; ++d) ranges.push_back(result.over[d].to - result.over[d].from);
  ranges.resize(design.names().size(), 1.0);  // nothing is differentiated by the others
  return std::make_unique<GradientStudy>(study, ranges, result.variables);
}

nlohmann::ordered_json optimization_job(const OptimizationOptions& options, const std::string& method) {
  nlohmann::ordered_json job = {
          {"over", axes_json(options.over)},
          {"minimize", options.maximize ? "" : options.objective},
          {"maximize", options.maximize ? options.objective : ""},
          {"subject", options.subject},
          {"method", method},
          {"evaluations", options.evaluations},
          {"tolerance", options.tolerance},
          {"starts", options.starts}};
  if (options.inverse) job["motion"] = "inverse";
  if (!options.choose.empty()) job["choose"] = options.choose;
  if (!options.scenarios.empty()) job["scenario"] = options.scenarios;
  if (!options.deviations.empty()) job["deviation"] = options.deviations;
  return job;
}

int best_search(const std::vector<Minimum>& searches) {
  int best = -1;
  double least = 0;
  for (std::size_t k = 0; k < searches.size(); ++k) {
    if (searches[k].best < 0) continue;
    const double objective = searches[k].evaluations[static_cast<std::size_t>(searches[k].best)].objective;
    if (best < 0 || objective < least) best = static_cast<int>(k), least = objective;
  }
  return best;
}

// All evaluations of all searches: the points of the study, in the first case; and a number of each.
Points points_of(const OptimizationResult& result, const DesignCases& design) {
  Points points{static_cast<int>(design.names().size()), {}};
  const auto starts = static_cast<long>(result.searches.size()) / design.combinations();
  for (std::size_t s = 0; s < result.searches.size(); ++s)
    for (const Evaluation& e : result.searches[s].evaluations) {
      const std::vector<double> point = design.point(e.point, static_cast<long>(s) / starts, 0);
      points.values.insert(points.values.end(), point.begin(), point.end());
    }
  return points;
}

std::vector<double> numbers_of(const std::vector<Minimum>& searches, double Evaluation::*number) {
  std::vector<double> numbers;
  for (const Minimum& minimum : searches)
    for (const Evaluation& e : minimum.evaluations) numbers.push_back(e.*number);
  return numbers;
}

// ", the worst of 5 cases, with motor=small.yaml"
std::string words_of_cases(const OptimizationResult& result) {
  std::string words = result.cases > 1 ? fmt::format(", the worst of {} cases", result.cases) : "";
  if (!result.chosen.empty()) words += fmt::format(", with {}", fmt::join(result.chosen, ", "));
  return words;
}

std::string optimization_sentence(const OptimizationResult& result) {
  if (const Evaluation* best = result.best())
    return fmt::format("{} {} = {:.10g}{}", result.maximize ? "largest" : "smallest", result.objective,
                       result.shown(best->objective), words_of_cases(result));
  const std::vector<double> objectives = numbers_of(result.searches, &Evaluation::objective);
  const bool finite = std::ranges::any_of(objectives, [](double x) { return std::isfinite(x); });
  return result.failures.count == result.evaluations ? "no motion finished"
         : !finite                                   ? "the objective has no finite value at any point"
                                                     : "no point satisfies all conditions";
}

// An optimum that a single run would warn of: the sentence has what that run says.
void warn_of_best(const Study& study, const DesignCases& design, long combination, OptimizationResult& result) {
  const Evaluation& best = *result.best();
  const StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  run.run(design.point(best.point, combination, 0));
  result.best_warnings = warning_words(best.warnings);
  if (!run.findings().empty())
    result.sentence = fmt::format("{}, but {}", result.sentence, run.findings().front().sentence);
}

// Why the result is worth little, if it is: the search saw no difference, or stopped where it began.
std::string caveat_about(const OptimizationResult& result, int allowed) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  std::size_t finite = 0, longest = 0;
  for (const Minimum& minimum : result.searches) {
    longest = std::max(longest, minimum.evaluations.size());
    for (const Evaluation& e : minimum.evaluations)
      if (std::isfinite(e.objective))
        ++finite, least = std::min(least, e.objective), most = std::max(most, e.objective);
  }
  const char* advice = result.method == "direct" ? "" : "; the method direct searches the whole box";
  if (finite > 1 && most - least <= objective_round_off * std::max(std::abs(least), std::abs(most)))
    return fmt::format("the objective is the same at all {} points: it does not depend on what is varied there{}",
                       finite, advice);
  if (finite > 0 && longest == 1 && allowed > 1)
    return fmt::format("the search ends where it begins: there the objective does not change with any variable{}",
                       advice);
  return {};
}

// What the searches say, once all are known.
void judge(const Study& study, const DesignCases& design, int allowed, OptimizationResult& result) {
  const std::vector<std::string>& names = design.names();
  const Points points = points_of(result, design);
  result.evaluations = points.count();
  result.motions = result.evaluations * static_cast<long>(result.cases);
  const long starts = static_cast<long>(result.searches.size()) / design.combinations();
  const long combination = result.best_search >= 0 ? result.best_search / starts : 0;
  for (std::size_t k = 0; k < design.choices().size() && result.best(); ++k) {
    const Choice::Option& option = design.chosen(combination, k);
    result.chosen.push_back(fmt::format("{}={}", design.choices()[k].name, option.label));
    result.chosen_values.insert(result.chosen_values.end(), option.values.begin(), option.values.end());
  }
  result.failures = failures_of(study, nullptr, points, numbers_of(result.searches, &Evaluation::failure), names);
  result.warnings = warnings_of(study, nullptr, points, numbers_of(result.searches, &Evaluation::warnings), names);
  result.sentence = optimization_sentence(result);
  if (!result.best()) return;
  if (result.best()->warnings != 0) warn_of_best(study, design, combination, result);
  result.caveat = caveat_about(result, allowed);
}

}  // namespace

const Evaluation* OptimizationResult::best() const {
  if (best_search < 0) return nullptr;
  const Minimum& search = searches[static_cast<std::size_t>(best_search)];
  return &search.evaluations[static_cast<std::size_t>(search.best)];
}

// As near to an end as searches resolve their ranges.
std::vector<int> OptimizationResult::best_at_ends() const {
  constexpr double near = 1e-6;
  std::vector<int> ends;
  const Evaluation* found = best();
  for (std::size_t d = 0; found && d < variables; ++d) {
    const double share = (found->point[d] - over[d].from) / (over[d].to - over[d].from);
    ends.push_back(share < near ? -1 : share > 1 - near ? 1 : 0);
  }
  return ends;
}

std::string OptimizationResult::ends_sentence() const {
  std::string text;
  const std::vector<int> ends = best_at_ends();
  for (std::size_t d = 0; d < ends.size(); ++d)
    if (ends[d] != 0)
      text += fmt::format("{}{} is at the {} end of its range", text.empty() ? "" : ", ", over[d].name,
                          ends[d] < 0 ? "lower" : "upper");
  return text.empty() ? text : text + ": a wider range may be better";
}

OptimizationResult optimize_motion(const Model& model, const OptimizationOptions& options, CellSession& session) {
  // the model, compiled once with its variables, choices and cases as inputs
  OptimizationResult result;
  result.over = options.over;
  result.variables = options.over.size();
  result.objective = options.objective;
  result.maximize = options.maximize;
  result.subject = options.subject;
  result.method = chosen_method(options);
  require_axes(options.over, false, "optimize");
  const DesignCases design(model, options.over, options.choose, options.scenarios, options.deviations);
  if (options.inverse && design.names().size() > options.over.size())
    throw RequestError("inverse", "choices, scenarios and deviations are for simulated motions");
  result.cases = design.cases();
  for (const Choice& choice : design.choices()) {
    const auto [least, most] = std::ranges::minmax(choice.options, {}, &Choice::Option::number);
    result.over.push_back({choice.name, least.number, most.number});
  }
  const std::vector<std::string>& names = design.names();
  std::vector<std::vector<double>> values = values_on(options.over);
  for (std::vector<double>& further : design.further_values()) values.push_back(std::move(further));
  const Varied varied = in_option("over", [&] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  in_option(options.maximize ? "maximize" : "minimize", [&] { formulas.add_number(options.objective); });
  for (const std::string& text : options.subject)
    in_option("subject " + text, [&] { formulas.add_number(excess_of(text)); });
  result.unit = formulas.unit(0);
  const std::unique_ptr<Study> compiled = options.inverse ? inverse_study(model, session.settings(), names, values, varied, formulas)
                                                          : std::make_unique<Study>(varied, formulas);
  const Study& study = *compiled;
  const auto gradients = gradients_of(study, design, result);
  if (!options.inverse) check_variables(study, model, session.settings(), names, values);

  // the searches: a cell each
  const Points starts = start_points(options.over, model, options.starts);
  const MinimizeOptions minimizing{result.method, options.evaluations, options.tolerance};
  const SearchRecord record(result.over.size(), options.subject.size(), options.evaluations);
  session.begin("optimize", model, study.prepared(), optimization_job(options, result.method), record.width());
  std::atomic<long> evaluated = 0;
  MissingDerivatives missing;
  const CellTable table = session.run(
      search_cells(starts, options.over, result, minimizing, study, gradients.get(), design, record, evaluated, missing), 0, "optimize");
  if (result.note.empty()) result.note = missing.sentence();
  for (long k = 0; k < table.count(); ++k) result.searches.push_back(record.read(table.row(k)));
  result.best_search = best_search(result.searches);
  result.complete = table.missing() == 0;
  if (result.complete) judge(study, design, options.evaluations, result);
  return result;
}

}  // namespace armature::internal
