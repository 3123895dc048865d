#include "study/optimization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "model/counted.hpp"
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
  // A row: the point, objective, inequalities, failure, warnings, the second result, the worst case.
  SearchRecord(std::size_t variables, std::size_t inequalities, int evaluations)
      : variables_(variables), inequalities_(inequalities), rows_(static_cast<std::size_t>(evaluations)) {}

  std::size_t row_size() const { return variables_ + 1 + inequalities_ + 4; }
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
      *next++ = e.other;
      *next++ = e.worst;
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
      minimum.evaluations.push_back({{next, objective}, *objective, {objective + 1, end - 4}, *(end - 4), *(end - 3)});
      minimum.evaluations.back().other = *(end - 2);
      minimum.evaluations.back().worst = static_cast<int>(*(end - 1));
      next = end;
    }
    return minimum;
  }

 private:
  std::size_t variables_, inequalities_, rows_;
};

// An axis for each element of a list or a table.
std::vector<Axis> elements_of(const std::vector<Axis>& over, const Model& model) {
  std::vector<Axis> axes;
  for (const Axis& axis : over)
    for (const std::string& name : element_names(model, axis.name)) {
      axes.push_back(axis);
      axes.back().name = name;
    }
  return axes;
}

// The model's own values where they lie in the box, the middle otherwise; then a Sobol sequence.
Points start_points(const std::vector<Axis>& axes, const Model& model, int count) {
  if (count > 1 && axes.size() > sobol_dimensions)
    throw RequestError("starts", fmt::format("several searches take at most {} variables; there are {}",
                                             sobol_dimensions, axes.size()));
  Points points{static_cast<int>(axes.size()), std::vector<double>(axes.size())};
  if (count > 1) points = sobol_points(axes, count, 1);
  for (std::size_t d = 0; d < axes.size(); ++d) {
    points.values[d] = 0.5 * (axes[d].from + axes[d].to);
    for (const Parameter& parameter : model.parameters)
      if (parameter.name == axes[d].name && parameter.value >= axes[d].from && parameter.value <= axes[d].to)
        points.values[d] = parameter.value;
    if (const auto place = table_point(model, axes[d].name)) {
      const Table& table = *model.tables.at(place->table);
      if (const double own = table.evaluate(table.knots[place->point], 0); own >= axes[d].from && own <= axes[d].to)
        points.values[d] = own;
    }
  }
  return points;
}

// Results of a point: in each case of the design the objective, the conditions and the second result, with their gradients.
struct PointResults {
  std::vector<double> objectives, inequalities, others;
  Eigen::MatrixXd objective_gradients, inequality_gradients, other_gradients;
  double failure = 0, warnings = 0;
};

double worst_of(const std::vector<double>& values) {
  double worst = -std::numeric_limits<double>::infinity();
  for (const double x : values) worst = std::isnan(x) || x > worst ? x : worst;
  return worst;
}

// The motions of a point, by a StudyRun or a GradientRun: one for each case. False: stopped.
template <class Run>
class PointRun {
 public:
  PointRun(Run run, const DesignCases& design, const OptimizationResult& wanted, MissingDerivatives& missing)
      : run_(std::move(run)),
        design_(design),
        subject_(wanted.subject.size()),
        sign_(wanted.maximize ? -1 : 1),
        missing_(missing) {}

  bool operator()(const std::vector<double>& point, long combination, PointResults& results) {
    results = {};
    for (std::size_t k = 0; k < design_.cases(); ++k) {
      const MotionStatus status = run_->run(design_.point(point, combination, k));
      if (status != MotionStatus::finished) {
        results = {};
        results.failure = reason_number(run_->sentence());
        return status != MotionStatus::stopped;
      }
      results.warnings = all_warnings(results.warnings, warning_bits(run_->findings()));
      take(results);
    }
    return true;
  }

 private:
  static void add_rows(Eigen::MatrixXd& all, const Eigen::MatrixXd& rows) {
    all.conservativeResize(all.rows() + rows.rows(), rows.cols());
    all.bottomRows(rows.rows()) = rows;
  }
  // values: objective, conditions, the second result if there is one
  void take(PointResults& results) {
    const std::vector<double>& values = run_->values();
    const auto conditions = values.begin() + 1, rest = conditions + static_cast<std::ptrdiff_t>(subject_);
    results.objectives.push_back(sign_ * values[0]);
    results.inequalities.insert(results.inequalities.end(), conditions, rest);
    results.others.insert(results.others.end(), rest, values.end());
    if constexpr (std::is_same_v<Run, std::shared_ptr<GradientRun>>) {
      if (!run_->no_derivative().empty()) missing_.add(run_->no_derivative());
      const Eigen::MatrixXd& g = run_->gradients();
      const auto subject = static_cast<Eigen::Index>(subject_);
      add_rows(results.objective_gradients, sign_ * g.topRows(1));
      add_rows(results.inequality_gradients, g.middleRows(1, subject));
      add_rows(results.other_gradients, g.bottomRows(g.rows() - 1 - subject));
    }
  }

  Run run_;
  const DesignCases& design_;
  std::size_t subject_;
  double sign_;
  MissingDerivatives& missing_;
};

using PointMotions = std::function<bool(const std::vector<double>& point, long combination, PointResults& results)>;

// What one thread of the searches evaluates; gradients: null where the method takes none.
PointMotions motions_of(const Study& study, const GradientStudy* gradients, const DesignCases& design,
                        const OptimizationResult& wanted, MissingDerivatives& missing, const StopFlag& stop) {
  if (gradients)
    return PointRun<std::shared_ptr<GradientRun>>(std::make_shared<GradientRun>(*gradients, stop), design, wanted,
                                                  missing);
  return PointRun<std::shared_ptr<StudyRun>>(std::make_shared<StudyRun>(study, nullptr, stop), design, wanted, missing);
}

// What one search looks for: the smallest objective, perhaps with a bound upon the second result; or the smallest second result.
struct Goal {
  bool other = false;
  double bound = std::numeric_limits<double>::infinity(), unit = 1;
  bool has_bound() const { return std::isfinite(bound); }
};

void fill(const PointResults& results, const Goal& goal, Evaluation& e) {
  e.failure = results.failure, e.warnings = results.warnings;
  if (e.failure != 0) return;
  const std::vector<double>& wanted = goal.other ? results.others : results.objectives;
  e.objective = worst_of(wanted);
  if (wanted.size() > 1) e.cases = wanted;
  e.inequalities = results.inequalities;
  for (std::size_t k = 0; goal.has_bound() && k < results.others.size(); ++k)
    e.inequalities.push_back((results.others[k] - goal.bound) / goal.unit);
  if (results.objective_gradients.size() == 0) return;
  const Eigen::MatrixXd& first = goal.other ? results.other_gradients : results.objective_gradients;
  const Eigen::Index bounds = goal.has_bound() ? results.other_gradients.rows() : 0;
  e.gradients.resize(first.rows() + results.inequality_gradients.rows() + bounds, first.cols());
  e.gradients << first, results.inequality_gradients, results.other_gradients.topRows(bounds) / goal.unit;
}

// As it is kept: both results, the numbers of the choices, and of each condition the worst case.
void complete(Evaluation& e, const PointResults& results, const std::vector<double>& numbers, std::size_t subject) {
  e.point.insert(e.point.end(), numbers.begin(), numbers.end());
  e.objective = e.failure != 0 ? std::numeric_limits<double>::quiet_NaN() : worst_of(results.objectives);
  if (e.failure == 0)
    e.worst = static_cast<int>(std::ranges::max_element(results.objectives) - results.objectives.begin());
  e.other = results.others.empty() ? 0 : worst_of(results.others);
  e.inequalities.assign(subject, 0.0);
  for (std::size_t i = 0; i < subject && !results.inequalities.empty(); ++i) {
    std::vector<double> of_cases;
    for (std::size_t k = i; k < results.inequalities.size(); k += subject) of_cases.push_back(results.inequalities[k]);
    e.inequalities[i] = worst_of(of_cases);
  }
}

// Searches for one goal after those for another; of each, those of one combination of choices after those of another, each from the
// same starts.
struct Searches {
  const std::vector<Axis>& box;
  const Points& starts;
  std::vector<Goal> goals;
  std::function<std::optional<std::vector<double>>(long combination)> first_start =
      {};  // in place of the first of the starts

  long count(const DesignCases& design) const {
    return starts.count() * design.combinations() * static_cast<long>(goals.size());
  }
  std::vector<double> start(long index, long combination) const {
    const long k = index % starts.count();
    if (k == 0 && first_start)
      if (auto better = first_start(combination)) return *better;
    return {starts[k], starts[k] + starts.dimensions};
  }
};

CellJob search_cells(const Searches& searches, const OptimizationResult& result, const MinimizeOptions& options,
                     const Study& study, const GradientStudy* gradients, const DesignCases& design,
                     const SearchRecord& record, std::atomic<long>& evaluated, MissingDerivatives& missing) {
  CellJob job{searches.count(design), record.width(), [&, gradients](const StopFlag& stop) -> CellFunction {
                return [&, evaluate = motions_of(study, gradients, design, result, missing, stop)](
                           long index, std::span<double> out) {
                  const long combination = index / searches.starts.count() % design.combinations();
                  const Goal& goal =
                      searches.goals[static_cast<std::size_t>(index / searches.starts.count() / design.combinations())];
                  std::vector<PointResults> all;
                  const Objective objective = [&](Evaluation& e) {
                    all.emplace_back();
                    const bool known = evaluate(e.point, combination, all.back());
                    fill(all.back(), goal, e);
                    ++evaluated;
                    return known;
                  };
                  const std::size_t subject = result.subject.size(),
                                    rows = (subject + (goal.has_bound() ? 1 : 0)) * design.cases();
                  Minimum minimum = minimize(searches.box, searches.start(index, combination), static_cast<int>(rows),
                                             objective, options, static_cast<int>(design.cases()));
                  for (std::size_t k = 0; k < minimum.evaluations.size(); ++k)
                    complete(minimum.evaluations[k], all[k], design.numbers(combination), subject);
                  record.write(minimum, out);
                  return !minimum.stopped;
                };
              }};
  job.parts_done = &evaluated, job.parts = options.evaluations;
  job.one_thread = !study.tables().empty();
  return job;
}

const char* default_method(bool inequalities) { return inequalities ? "cobyla" : "bobyqa"; }

std::string chosen_method(const OptimizationOptions& options) {
  // the worst of several cases is a condition on each of them
  const bool inequalities =
      !options.subject.empty() || !options.scenarios.empty() || !options.deviations.empty() || !options.against.empty();
  const std::string method = options.method.empty() ? default_method(inequalities) : options.method;
  require_known(method, minimize_methods(), "method");
  if ((!options.subject.empty() || !options.against.empty()) && !takes_inequalities(method))
    throw RequestError("method " + method, "does not accept conditions; use cobyla, gradient or direct");
  return method;
}

// Gradients for a method that uses them. Without them the default method takes over, and a note gives the reason.
std::unique_ptr<GradientStudy> gradients_of(const Study& study, const DesignCases& design,
                                            const std::string& derivatives, OptimizationResult& result) {
  if (!takes_gradients(result.method)) return nullptr;
  if (const std::string why = study.rows() ? "is that of inverse dynamics" : GradientStudy::missing(study);
      !why.empty()) {
    result.method = default_method(!result.subject.empty() || !result.against.empty() || design.cases() > 1);
    result.note =
        fmt::format("there are no exact gradients: the model {}; {} searches without them", why, result.method);
    return nullptr;
  }
  std::vector<double> ranges;
  for (std::size_t d = 0; d < result.variables; ++d) ranges.push_back(result.over[d].to - result.over[d].from);
  ranges.resize(design.names().size(), 1.0);  // nothing is differentiated by the others
  const std::map<std::string, DerivativeWay> ways{
      {"auto", DerivativeWay::automatic}, {"forward", DerivativeWay::forward}, {"adjoint", DerivativeWay::adjoint}};
  auto gradients = std::make_unique<GradientStudy>(study, ranges, result.variables, ways.at(derivatives));
  result.backwards = gradients->backwards();
  if (derivatives == "adjoint" && !result.backwards)
    result.note =
        fmt::format("there are no adjoints: the model {}; derivatives go forwards", GradientStudy::no_adjoint(study));
  return gradients;
}

nlohmann::ordered_json optimization_job(const OptimizationOptions& options, const std::string& method) {
  nlohmann::ordered_json job = {{"over", axes_json(options.over)},
                                {"minimize", options.maximize ? "" : options.objective},
                                {"maximize", options.maximize ? options.objective : ""},
                                {"subject", options.subject},
                                {"method", method},
                                {"evaluations", options.evaluations},
                                {"tolerance", options.tolerance},
                                {"starts", options.starts}};
  if (options.derivatives != "auto") job["derivatives"] = options.derivatives;
  if (options.inverse) job["motion"] = "inverse";
  if (!options.choose.empty()) job["choose"] = options.choose;
  if (!options.scenarios.empty()) job["scenario"] = options.scenarios;
  if (!options.deviations.empty()) job["deviation"] = options.deviations;
  if (!options.against.empty()) job["against"] = options.against, job["front"] = options.front;
  return job;
}

// By the objective; a search for the smallest second result ends elsewhere.
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
long combination_of(long search, long starts, const DesignCases& design) {
  return search / starts % design.combinations();
}

Points points_of(const OptimizationResult& result, long starts, const DesignCases& design) {
  Points points{static_cast<int>(design.names().size()), {}};
  for (std::size_t s = 0; s < result.searches.size(); ++s)
    for (const Evaluation& e : result.searches[s].evaluations) {
      const std::vector<double> point = design.point(e.point, combination_of(static_cast<long>(s), starts, design), 0);
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
  if (!result.front.empty())
    words += fmt::format(", one end of a front of {} against {}",
                         counted(static_cast<long>(result.front.size()), "design"), result.against);
  if (!result.chosen.empty()) words += fmt::format(", with {}", fmt::join(result.chosen, ", "));
  return words;
}

std::string optimization_sentence(const OptimizationResult& result) {
  if (const Evaluation* best = result.best())
    return fmt::format("{} found: {} = {:.10g}{}", result.maximize ? "largest" : "smallest", result.objective,
                       result.shown(best->objective), words_of_cases(result));
  const std::vector<double> objectives = numbers_of(result.searches, &Evaluation::objective);
  const bool finite = std::ranges::any_of(objectives, [](double x) { return std::isfinite(x); });
  return result.failures.count == result.evaluations ? "no motion finished"
         : !finite                                   ? "the objective has no finite value at any point"
                                                     : "no point satisfies all conditions";
}

// No search knows that there is nothing better elsewhere, and one that goes downhill from its start does not look there.
std::string words_of_search(const OptimizationResult& result, long starts) {
  if (result.method == "direct") return "";
  return starts > 1 ? fmt::format("; the best of {} local searches", starts)
                    : "; a local search: --starts N adds searches from other points";
}

// An optimum that a single run would warn of: the sentence has what that run says.
void warn_of_best(const Study& study, const DesignCases& design, long combination, OptimizationResult& result) {
  const Evaluation& best = *result.best();
  const StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  run.run(design.point(best.point, combination, static_cast<std::size_t>(best.worst)));
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
  if (result.mostly_failed())
    return fmt::format(
        "{} of {} evaluations failed: the search saw too little of the range for its result to be an optimum. Most "
        "often {}",
        result.failures.count, result.evaluations, result.failures.kinds.front().sentence);
  const char* advice = result.method == "direct" ? "" : "; the method direct searches the whole box";
  if (finite > 1 && most - least <= objective_round_off * std::max(std::abs(least), std::abs(most)))
    return fmt::format("the objective is the same at all {} points: it does not depend on what is varied there{}",
                       finite, advice);
  if (finite > 0 && longest == 1 && allowed > 1)
    return fmt::format("the search ends where it begins: there the objective does not change with any variable{}",
                       advice);
  return {};
}

// What the motion of each evaluation is set to: of several cases the worst.
void add_motions(const DesignCases& design, long starts, OptimizationResult& result) {
  result.names = design.names();
  if (design.cases() < 2) return;
  for (std::size_t k = 0; k < design.cases(); ++k) result.case_labels.push_back(design.label(k));
  for (std::size_t s = 0; s < result.searches.size(); ++s)
    for (Evaluation& e : result.searches[s].evaluations)
      e.motion = design.point(e.point, combination_of(static_cast<long>(s), starts, design),
                              static_cast<std::size_t>(e.worst));
}

// What the searches say, once all are known.
void judge(const Study& study, const DesignCases& design, long starts, int allowed, OptimizationResult& result) {
  const std::vector<std::string>& names = design.names();
  const Points points = points_of(result, starts, design);
  result.evaluations = points.count();
  result.motions = result.evaluations * static_cast<long>(result.cases);
  const long combination = result.best_search >= 0 ? combination_of(result.best_search, starts, design) : 0;
  for (std::size_t k = 0; k < design.choices().size() && result.best(); ++k) {
    const Choice::Option& option = design.chosen(combination, k);
    result.chosen.push_back(fmt::format("{}={}", design.choices()[k].name, option.label));
    result.chosen_values.insert(result.chosen_values.end(), option.values.begin(), option.values.end());
  }
  for (const VariedTable& table : study.tables())
    if (result.best()) result.tables.push_back({table.name(), table.knots(), table.values_at(result.best()->point)});
  result.failures = failures_of(study, nullptr, points, numbers_of(result.searches, &Evaluation::failure), names);
  result.warnings = warnings_of(study, nullptr, points, numbers_of(result.searches, &Evaluation::warnings), names);
  result.sentence = optimization_sentence(result);
  if (!result.best()) return;
  if (result.best()->warnings != 0) warn_of_best(study, design, combination, result);
  result.sentence += words_of_search(result, starts);
  result.caveat = caveat_about(result, allowed);
}

// ---- the front of two results

// The best evaluation of some searches by a result; null: there is none.
const Evaluation* least_of(const std::vector<Minimum>& searches, double Evaluation::*number,
                           const std::function<bool(long search)>& counts) {
  const Evaluation* least = nullptr;
  for (std::size_t s = 0; s < searches.size(); ++s)
    for (const Evaluation& e : searches[s].evaluations)
      if (counts(static_cast<long>(s)) && e.feasible() && std::isfinite(e.other) &&
          (!least || e.*number < least->*number))
        least = &e;
  return least;
}

// Bounds upon the second result, evenly between both ends of the front; none where there is no front.
std::vector<Goal> front_goals(const std::vector<Minimum>& searches, int count) {
  const auto all = [](long) { return true; };
  const Evaluation* first = least_of(searches, &Evaluation::objective, all);
  const Evaluation* last = least_of(searches, &Evaluation::other, all);
  std::vector<Goal> goals;
  if (!first || !(first->other > last->other)) return goals;
  const double range = first->other - last->other;
  for (int k = 1; k + 1 < count; ++k) goals.push_back({false, last->other + range * k / (count - 1), range});
  return goals;
}

// What the searches have found, but for what another one beats in both results.
std::vector<OptimizationResult::FrontPoint> front_of(const std::vector<Minimum>& searches) {
  std::vector<std::pair<const Evaluation*, OptimizationResult::FrontPoint>> found;
  for (std::size_t s = 0; s < searches.size(); ++s) {
    if (searches[s].best < 0) continue;
    const Evaluation& e = searches[s].evaluations[static_cast<std::size_t>(searches[s].best)];
    if (std::isfinite(e.other)) found.push_back({&e, {static_cast<int>(s), searches[s].best}});
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) {
    return std::pair(a.first->other, a.first->objective) < std::pair(b.first->other, b.first->objective);
  });
  std::vector<OptimizationResult::FrontPoint> front;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [evaluation, place] : found)
    if (evaluation->objective < least) front.push_back(place), least = evaluation->objective;
  return front;
}

}  // namespace

bool OptimizationResult::mostly_failed() const {
  constexpr double most_failed = 0.5;  // of the evaluations
  return static_cast<double>(failures.count) > most_failed * static_cast<double>(evaluations);
}

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
  constexpr std::size_t named = 5;
  std::string text;
  const std::vector<int> ends = best_at_ends();
  const auto count = ends.size() - static_cast<std::size_t>(std::ranges::count(ends, 0));
  if (count > named) return fmt::format("{} variables are at ends of their ranges: wider ranges may be better", count);
  for (std::size_t d = 0; d < ends.size(); ++d)
    if (ends[d] != 0)
      text += fmt::format("{}{} is at the {} end of its range", text.empty() ? "" : ", ", over[d].name,
                          ends[d] < 0 ? "lower" : "upper");
  return text.empty() ? text : text + ": a wider range may be better";
}

OptimizationResult optimize_motion(const Model& model, const OptimizationOptions& asked, CellSession& session) {
  OptimizationOptions options = asked;
  options.over = elements_of(asked.over, model);
  require_known(options.derivatives, {"auto", "forward", "adjoint"}, "derivatives");
  // the model, compiled once with its variables, choices and cases as inputs
  OptimizationResult result;
  result.over = options.over;
  result.variables = options.over.size();
  result.objective = options.objective;
  result.maximize = options.maximize;
  result.subject = options.subject;
  result.method = chosen_method(options);
  require_axes(options.over, false, "optimize");
  result.against = options.against;
  const DesignCases design(model, options.over, options.choose, options.scenarios, options.deviations);
  if (options.inverse && design.names().size() > options.over.size())
    throw RequestError("inverse", "choices, scenarios and deviations are for simulated motions");
  if (options.inverse &&
      std::ranges::any_of(options.over, [&](const Axis& axis) { return table_point(model, axis.name).has_value(); }))
    throw RequestError("inverse", "points of tables are varied in simulated motions");
  result.cases = design.cases();
  result.choices = design.choices();
  for (const Choice& choice : result.choices) {
    const auto [least, most] = std::ranges::minmax(choice.options, {}, &Choice::Option::number);
    result.over.push_back({choice.name, least.number, most.number});
  }
  const std::vector<std::string>& names = design.names();
  std::vector<std::vector<double>> values = values_on(options.over);
  for (std::vector<double>& further : design.further_values()) values.push_back(std::move(further));
  const Varied varied = in_option("over", [&] { return vary(model, names, true); });
  MotionFormulas formulas(varied.model, varied.parameters);
  in_option(options.maximize ? "maximize" : "minimize", [&] { formulas.add_number(options.objective); });
  for (const std::string& text : options.subject)
    in_option("subject " + text, [&] { formulas.add_number(excess_of(text)); });
  if (!options.against.empty()) in_option("against", [&] { formulas.add_number(options.against); });
  result.unit = formulas.unit(0);
  for (std::size_t k = 0; k < options.subject.size(); ++k)
    result.subject_units.push_back(formulas.unit(static_cast<int>(k) + 1));
  if (!options.against.empty()) result.against_unit = formulas.unit(static_cast<int>(options.subject.size()) + 1);
  const std::unique_ptr<Study> compiled =
      options.inverse ? inverse_study(model, session.settings(), names, values, varied, formulas)
                      : std::make_unique<Study>(varied, formulas);
  Study& study = *compiled;
  const auto gradients = gradients_of(study, design, options.derivatives, result);
  if (!options.inverse) check_variables(study, model, session.settings(), names, values);

  // the searches: a cell each
  const Points starts = start_points(options.over, model, options.starts);
  const MinimizeOptions minimizing{result.method, options.evaluations, options.tolerance};
  const SearchRecord record(result.over.size(), options.subject.size(), options.evaluations);
  session.begin("optimize", model, study.prepared(), optimization_job(options, result.method), record.width());
  std::atomic<long> evaluated = 0;
  MissingDerivatives missing;
  const auto search = [&](const Searches& searches) {
    const long first = static_cast<long>(result.searches.size());
    const CellTable table = session.run(
        search_cells(searches, result, minimizing, study, gradients.get(), design, record, evaluated, missing), first,
        "optimize");
    for (long k = 0; k < table.count(); ++k) result.searches.push_back(record.read(table.row(k)));
    return table.missing() == 0;
  };
  std::vector<Goal> ends{Goal{}};
  if (!options.against.empty()) ends.push_back({.other = true});
  result.complete = search({options.over, starts, ends});
  // between both ends of the front, from where the second result is smallest
  if (!options.against.empty() && result.complete) {
    const std::vector<Goal> goals = front_goals(result.searches, options.front);
    const std::vector<Minimum> known = result.searches;
    const auto from_end = [&](long combination) -> std::optional<std::vector<double>> {
      const Evaluation* least = least_of(
          known, &Evaluation::other, [&](long s) { return combination_of(s, starts.count(), design) == combination; });
      if (!least) return std::nullopt;
      return std::vector<double>(least->point.begin(),
                                 least->point.begin() + static_cast<std::ptrdiff_t>(result.variables));
    };
    if (!goals.empty()) result.complete = search({options.over, starts, goals, from_end});
    result.front = front_of(result.searches);
  }
  if (result.note.empty()) result.note = missing.sentence();
  result.best_search = best_search(result.searches);
  add_motions(design, starts.count(), result);
  if (result.complete) judge(study, design, starts.count(), options.evaluations, result);
  return result;
}

}  // namespace armature::internal
