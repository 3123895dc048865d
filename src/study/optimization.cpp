#include "study/optimization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

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

// One motion, by a StudyRun or a GradientRun. False: stopped.
template <class Run>
bool evaluate_motion(Run& run, bool maximizes, Evaluation& e) {
  const MotionStatus status = run.run(e.point);
  e.failure = status == MotionStatus::finished ? 0 : reason_number(run.sentence());
  e.warnings = e.failure == 0 ? warning_bits(run.findings()) : 0;
  if (e.failure != 0) return status != MotionStatus::stopped;
  e.objective = maximizes ? -run.values()[0] : run.values()[0];
  std::copy(run.values().begin() + 1, run.values().end(), e.inequalities.begin());
  if constexpr (std::is_same_v<Run, GradientRun>) {
    e.gradients = run.gradients();
    if (maximizes) e.gradients.row(0) *= -1;
  }
  return true;
}

// What one thread of the searches evaluates; gradients: null where the method takes none.
Objective objective_of(const Study& study, const GradientStudy* gradients, bool maximizes, const StopFlag& stop) {
  if (gradients)
    return [run = std::make_shared<GradientRun>(*gradients, stop), maximizes](Evaluation& e) {
      return evaluate_motion(*run, maximizes, e);
    };
  return [run = std::make_shared<StudyRun>(study, nullptr, stop), maximizes](Evaluation& e) {
    return evaluate_motion(*run, maximizes, e);
  };
}

CellJob search_cells(const Points& starts, const OptimizationResult& result, const MinimizeOptions& options,
                     const Study& study, const GradientStudy* gradients, const SearchRecord& record,
                     std::atomic<long>& evaluated) {
  CellJob job{starts.count(), record.width(), [&, gradients](const StopFlag& stop) -> CellFunction {
                const Objective objective =
                    [&evaluated, evaluate = objective_of(study, gradients, result.maximize, stop)](Evaluation& e) {
                      const bool known = evaluate(e);
                      ++evaluated;
                      return known;
                    };
                return [objective, &starts, &result, &options, &record](long index, std::span<double> out) {
                  const std::vector<double> start(starts[index], starts[index] + starts.dimensions);
                  const Minimum minimum =
                      minimize(result.over, start, static_cast<int>(result.subject.size()), objective, options);
                  record.write(minimum, out);
                  return !minimum.stopped;
                };
              }};
  job.parts_done = &evaluated, job.parts = options.evaluations;
  return job;
}

const char* default_method(const std::vector<std::string>& subject) { return subject.empty() ? "bobyqa" : "cobyla"; }

std::string chosen_method(const OptimizationOptions& options) {
  const std::string method = options.method.empty() ? default_method(options.subject) : options.method;
  require_known(method, minimize_methods(), "method");
  if (!options.subject.empty() && !takes_inequalities(method))
    throw RequestError("method " + method, "does not accept conditions; use cobyla, gradient or direct");
  return method;
}

// Gradients for a method that uses them. Without them the default method takes over, and a note gives the reason.
std::unique_ptr<GradientStudy> gradients_of(const Study& study, OptimizationResult& result) {
  if (!takes_gradients(result.method)) return nullptr;
  if (const std::string why = study.rows() ? "is that of inverse dynamics" : GradientStudy::missing(study);
      !why.empty()) {
    result.method = default_method(result.subject);
    result.note =
        fmt::format("there are no exact gradients: the model {}; {} searches without them", why, result.method);
    return nullptr;
  }
  std::vector<double> ranges;
  for (const Axis& axis : result.over) ranges.push_back(axis.to - axis.from);
  return std::make_unique<GradientStudy>(study, ranges);
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

// All motions of all searches: their points, and a number of each.
Points points_of(const OptimizationResult& result) {
  Points points{static_cast<int>(result.over.size()), {}};
  for (const Minimum& minimum : result.searches)
    for (const Evaluation& e : minimum.evaluations)
      points.values.insert(points.values.end(), e.point.begin(), e.point.end());
  return points;
}

std::vector<double> numbers_of(const std::vector<Minimum>& searches, double Evaluation::*number) {
  std::vector<double> numbers;
  for (const Minimum& minimum : searches)
    for (const Evaluation& e : minimum.evaluations) numbers.push_back(e.*number);
  return numbers;
}

std::string optimization_sentence(const OptimizationResult& result) {
  if (const Evaluation* best = result.best())
    return fmt::format("{} {} = {:.10g}", result.maximize ? "largest" : "smallest", result.objective,
                       result.shown(best->objective));
  const std::vector<double> objectives = numbers_of(result.searches, &Evaluation::objective);
  const bool finite = std::ranges::any_of(objectives, [](double x) { return std::isfinite(x); });
  return result.failures.count == result.evaluations ? "no motion finished"
         : !finite                                   ? "the objective has no finite value at any point"
                                                     : "no point satisfies all conditions";
}

// An optimum that a single run would warn of: the sentence has what that run says.
void warn_of_best(const Study& study, OptimizationResult& result) {
  const Evaluation& best = *result.best();
  const StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  run.run(best.point);
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
void judge(const Study& study, int allowed, OptimizationResult& result) {
  const std::vector<std::string> names = names_of(result.over);
  const Points points = points_of(result);
  result.evaluations = points.count();
  result.failures = failures_of(study, nullptr, points, numbers_of(result.searches, &Evaluation::failure), names);
  result.warnings = warnings_of(study, nullptr, points, numbers_of(result.searches, &Evaluation::warnings), names);
  result.sentence = optimization_sentence(result);
  if (!result.best()) return;
  if (result.best()->warnings != 0) warn_of_best(study, result);
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
  for (std::size_t d = 0; found && d < over.size(); ++d) {
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
  // the model, compiled once with its variables as inputs
  OptimizationResult result;
  result.over = options.over;
  result.objective = options.objective;
  result.maximize = options.maximize;
  result.subject = options.subject;
  result.method = chosen_method(options);
  require_axes(options.over, false, "optimize");
  const std::vector<std::string> names = names_of(options.over);
  const Varied varied = in_option("over", [&] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  in_option(options.maximize ? "maximize" : "minimize", [&] { formulas.add_number(options.objective); });
  for (const std::string& text : options.subject)
    in_option("subject " + text, [&] { formulas.add_number(excess_of(text)); });
  result.unit = formulas.unit(0);
  const std::unique_ptr<Study> compiled = options.inverse
                                              ? inverse_study(model, session.settings(), names, values_on(options.over), varied, formulas)
                                              : std::make_unique<Study>(varied, formulas);
  const Study& study = *compiled;
  const auto gradients = gradients_of(study, result);
  if (!options.inverse) check_variables(study, model, session.settings(), names, values_on(options.over));

  // the searches: a cell each
  const Points starts = start_points(options.over, model, options.starts);
  const MinimizeOptions minimizing{result.method, options.evaluations, options.tolerance};
  const SearchRecord record(names.size(), options.subject.size(), options.evaluations);
  session.begin("optimize", model, study.prepared(), optimization_job(options, result.method), record.width());
  std::atomic<long> evaluated = 0;
  const CellTable table =
      session.run(search_cells(starts, result, minimizing, study, gradients.get(), record, evaluated), 0, "optimize");
  for (long k = 0; k < table.count(); ++k) result.searches.push_back(record.read(table.row(k)));
  result.best_search = best_search(result.searches);
  result.complete = table.missing() == 0;
  if (result.complete) judge(study, options.evaluations, result);
  return result;
}

}  // namespace armature::internal
