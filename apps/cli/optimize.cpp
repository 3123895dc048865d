// armature optimize FILE --over … --minimize …: the parameters for which a number of the motion is smallest.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "cell_session.hpp"
#include "errors.hpp"
#include "lists.hpp"
#include "motion_failures.hpp"
#include "run_command.hpp"
#include "study/motion_gradient.hpp"
#include "study/motion_warnings.hpp"
#include "study/optimize.hpp"
#include "study_report.hpp"
#include "study_warnings.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* optimize_examples =
    "Examples:\n"
    "  armature optimize models/crane.yaml --over volts=2:12 --minimize '(final(travel) - 1)^2'\n"
    "  armature optimize models/crane.yaml --over volts=2:12 --over rope=0.4:1 --minimize '(final(travel) - 1)^2' \\\n"
    "      --subject 'max(abs(swing)) <= 0.05' --starts 4\n"
    "\nFormulas are over the whole motion: initial(x), final(x), at(x, T), max(x), min(x), mean(x), integral(x), "
    "turns(x),\n"
    "first(condition), last(condition). The first search begins at the model's own values (a start value: in the "
    "middle),\n"
    "further ones (--starts) at points of a Sobol sequence. Methods without derivatives: bobyqa, cobyla (takes "
    "--subject,\n"
    "and is then the default), nelder_mead, subplex, and direct, which searches the whole box. gradient takes exact\n"
    "derivatives of the motion, and --subject: fewer motions, where the model is smooth.";

constexpr double round_off = 1e-12;

struct OptimizeArguments {
  StudyArguments study;
  std::string minimized, maximized;
  std::vector<std::string> subject;
  std::string method, note;  // note: why the method is another
  MinimizeOptions options;
  int starts = 1;

  bool maximizes() const { return !maximized.empty(); }
  double shown(double minimized) const { return maximizes() ? 0 - minimized : minimized; }
  const std::string& objective() const { return maximizes() ? maximized : minimized; }
};

// "a <= b" as the number a - b, which must not be positive.
std::string excess_of(const std::string& text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth > 0 || (text[k] != '<' && text[k] != '>')) continue;
    const std::size_t right = k + (k + 1 < text.size() && text[k + 1] == '=' ? 2 : 1);
    const std::string a = text.substr(0, k), b = text.substr(right);
    if (b.find_first_of("<>") != std::string::npos)
      throw UsageError(fmt::format("--subject {}: expected one comparison; give one --subject for each", text));
    return text[k] == '<' ? fmt::format("({}) - ({})", a, b) : fmt::format("({}) - ({})", b, a);
  }
  throw UsageError(fmt::format("--subject {}: expected a comparison, such as max(x) <= 5", text));
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
bool evaluate(Run& run, bool maximizes, Evaluation& e) {
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
      return evaluate(*run, maximizes, e);
    };
  return [run = std::make_shared<StudyRun>(study, nullptr, stop), maximizes](Evaluation& e) {
    return evaluate(*run, maximizes, e);
  };
}

CellJob searches(const Points& starts, const std::vector<Axis>& axes, const Study& study,
                 const GradientStudy* gradients, const OptimizeArguments& arguments, const SearchRecord& record) {
  return {starts.count(), record.width(), [&, gradients](const StopFlag& stop) -> CellFunction {
            const Objective objective = objective_of(study, gradients, arguments.maximizes(), stop);
            return [objective, &starts, &axes, &arguments, &record](long index, std::span<double> result) {
              const std::vector<double> start(starts[index], starts[index] + starts.dimensions);
              const Minimum minimum =
                  minimize(axes, start, static_cast<int>(arguments.subject.size()), objective, arguments.options);
              record.write(minimum, result);
              return !minimum.stopped;
            };
          }};
}

struct Best {
  const Evaluation* evaluation = nullptr;
  std::size_t search = 0;
};

Best best_of(const std::vector<Minimum>& minima) {
  Best best;
  for (std::size_t k = 0; k < minima.size(); ++k) {
    if (minima[k].best < 0) continue;
    const Evaluation& candidate = minima[k].evaluations[static_cast<std::size_t>(minima[k].best)];
    if (!best.evaluation || candidate.objective < best.evaluation->objective) best = {&candidate, k};
  }
  return best;
}

void write_cells(const std::vector<Minimum>& minima, const std::vector<Axis>& axes, const OptimizeArguments& arguments,
                 const std::filesystem::path& folder) {
  std::vector<std::string> header{"search", "evaluation"};
  for (const Axis& axis : axes) header.push_back(axis.name);
  header.push_back(arguments.objective());
  for (const std::string& text : arguments.subject) header.push_back("excess of " + text);
  header.emplace_back("warnings");
  CsvTable csv(header);
  for (std::size_t s = 0; s < minima.size(); ++s)
    for (std::size_t k = 0; k < minima[s].evaluations.size(); ++k) {
      const Evaluation& e = minima[s].evaluations[k];
      csv.add(static_cast<double>(s + 1)).add(static_cast<double>(k + 1));
      for (double x : e.point) csv.add(x);
      csv.add(arguments.shown(e.objective));
      for (double g : e.inequalities) csv.add(g);
      csv.add(warning_words(e.warnings)).end_row();
    }
  csv.write(folder / "cells.csv");
}

void write_hdf5(const std::vector<Minimum>& minima, const OptimizeArguments& arguments, const Json& description,
                const std::filesystem::path& folder) {
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  for (std::size_t s = 0; s < minima.size(); ++s) {
    std::vector<double> points, objectives, warnings;
    for (const Evaluation& e : minima[s].evaluations) {
      points.insert(points.end(), e.point.begin(), e.point.end());
      objectives.push_back(arguments.shown(e.objective));
      warnings.push_back(e.warnings);
    }
    const int dimensions = minima[s].evaluations.empty() ? 1 : static_cast<int>(minima[s].evaluations[0].point.size());
    file.write(fmt::format("search{}.points", s + 1), points, dimensions);
    file.write(fmt::format("search{}.objective", s + 1), objectives);
    file.write(fmt::format("search{}.warnings", s + 1), warnings);
  }
  file.close();
}

// All evaluations, and the best of them.
StudyDocument picture(const std::vector<Minimum>& minima, const Best& best, const std::vector<Axis>& axes,
                      const OptimizeArguments& arguments, const Model& model) {
  StudyDocument document{.verb = "optimize"};
  for (const Axis& axis : axes) document.variables.push_back(study_variable(model, axis.name));
  document.results = {{.name = arguments.objective()}, {.name = "evaluation"}};
  for (const std::string& text : arguments.subject)
    document.results.push_back({.name = "excess of " + text, .scale = StudyResult::Scale::centered});
  for (const Minimum& minimum : minima)
    for (std::size_t k = 0; k < minimum.evaluations.size(); ++k) {
      const Evaluation& e = minimum.evaluations[k];
      for (std::size_t d = 0; d < axes.size(); ++d) document.variables[d].values.push_back(e.point[d]);
      document.results[0].values.push_back(arguments.shown(e.objective));
      document.results[1].values.push_back(static_cast<double>(k + 1));
      for (std::size_t g = 0; g < e.inequalities.size(); ++g)
        document.results[2 + g].values.push_back(e.inequalities[g]);
    }
  if (best.evaluation) document.marks.push_back({"best", best.evaluation->point, true});
  return document;
}

// Runs the best motion.
std::string command_at(const Best& best, const std::vector<Axis>& axes, const OptimizeArguments& arguments,
                       const Model& model) {
  const std::vector<std::string> names = names_of(axes);
  return shared_command(arguments.study, model, names) + " " + point_settings(model, names, best.evaluation->point);
}

Json result_json(const std::vector<Minimum>& minima, const Best& best, const std::vector<Axis>& axes,
                 const OptimizeArguments& arguments, const Model& model) {
  long evaluations = 0, failures = 0, finite = 0;
  for (const Minimum& minimum : minima)
    for (const Evaluation& e : minimum.evaluations)
      ++evaluations, failures += e.failure != 0, finite += std::isfinite(e.objective);
  Json json{{"status", best.evaluation ? "finished" : "failed"},
            {"method", arguments.options.method},
            {"evaluations", evaluations},
            {"failed", failures}};
  if (!arguments.note.empty()) json["note"] = arguments.note;
  if (!best.evaluation) {
    json["sentence"] = failures == evaluations ? "no motion came to its end"
                       : finite == 0           ? "the objective has no finite value at any point"
                                               : "no point satisfies all --subject";
    return json;
  }
  const double value = arguments.shown(best.evaluation->objective);
  json["sentence"] =
      fmt::format("{} {} = {:.10g}", arguments.maximizes() ? "largest" : "smallest", arguments.objective(), value);
  json["value"] = value;
  json["search"] = best.search + 1;
  for (std::size_t d = 0; d < axes.size(); ++d) json["best"][axes[d].name] = best.evaluation->point[d];
  for (std::size_t k = 0; k < arguments.subject.size(); ++k)
    json["excess"][arguments.subject[k]] = best.evaluation->inequalities[k];
  json["set"] = point_settings(model, names_of(axes), best.evaluation->point);
  json["command"] = command_at(best, axes, arguments, model);
  return json;
}

// Why the result is worth little, if it is: the search saw no difference, or stopped where it began.
std::string doubt(const std::vector<Minimum>& minima, const OptimizeArguments& arguments) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  std::size_t finite = 0, longest = 0;
  for (const Minimum& minimum : minima) {
    longest = std::max(longest, minimum.evaluations.size());
    for (const Evaluation& e : minimum.evaluations)
      if (std::isfinite(e.objective))
        ++finite, least = std::min(least, e.objective), most = std::max(most, e.objective);
  }
  const char* advice = arguments.options.method == "direct" ? "" : "; --method direct searches the whole box";
  if (finite > 1 && most - least <= round_off * std::max(std::abs(least), std::abs(most)))
    return fmt::format("the objective is the same at all {} points: it does not depend on what is varied there{}",
                       finite, advice);
  if (finite > 0 && longest == 1 && arguments.options.evaluations > 1)
    return fmt::format("the search ends where it begins: there the objective does not change with any variable{}",
                       advice);
  return {};
}

// All motions of all searches: their points, and a number of each.
Points points_of(const std::vector<Minimum>& minima, const std::vector<Axis>& axes) {
  Points points{static_cast<int>(axes.size()), {}};
  for (const Minimum& minimum : minima)
    for (const Evaluation& e : minimum.evaluations)
      points.values.insert(points.values.end(), e.point.begin(), e.point.end());
  return points;
}

std::vector<double> numbers_of(const std::vector<Minimum>& minima, double Evaluation::*number) {
  std::vector<double> numbers;
  for (const Minimum& minimum : minima)
    for (const Evaluation& e : minimum.evaluations) numbers.push_back(e.*number);
  return numbers;
}

const char* default_method(const OptimizeArguments& arguments) {
  return arguments.subject.empty() ? "bobyqa" : "cobyla";
}

void choose_method(OptimizeArguments& arguments) {
  if (arguments.minimized.empty() == arguments.maximized.empty())
    throw UsageError("optimize: expected one of --minimize FORMULA and --maximize FORMULA");
  std::string& method = arguments.options.method;
  method = !arguments.method.empty() ? arguments.method : default_method(arguments);
  require_known(method, minimize_methods(), "method");
  if (!arguments.subject.empty() && !takes_inequalities(method))
    throw UsageError(fmt::format("--method {}: takes no --subject; use cobyla, gradient or direct", method));
}

// An optimum that a single run would warn of: its sentence has what that run says.
void warn_of_best(const Study& study, const Evaluation& best, Json& result) {
  const StopFlag stop = false;
  StudyRun run(study, nullptr, stop);
  run.run(best.point);
  result["best_warnings"] = warning_words(best.warnings);
  if (run.findings().empty()) return;
  result["sentence"] =
      fmt::format("{}, but {}", result["sentence"].get<std::string>(), run.findings().front().sentence);
}

// What one process of the team does at the end.
int finish(const std::vector<Minimum>& minima, const Best& best, const std::vector<Axis>& axes,
           const OptimizeArguments& arguments, const Model& model, const Study& study, CellSession& session) {
  const Points points = points_of(minima, axes);
  const MotionFailures failures(study, nullptr, points, numbers_of(minima, &Evaluation::failure), names_of(axes));
  const StudyWarnings warnings(study, nullptr, points, numbers_of(minima, &Evaluation::warnings), names_of(axes));
  Json result = result_json(minima, best, axes, arguments, model);
  result["failures"] = failures.to_json();
  result["warned"] = warnings.count();
  result["warnings"] = warnings.to_json();
  if (best.evaluation && best.evaluation->warnings != 0) warn_of_best(study, *best.evaluation, result);
  const std::string doubtful = best.evaluation ? doubt(minima, arguments) : "";
  if (!doubtful.empty()) result["doubt"] = doubtful;
  const int code = best.evaluation ? ok : failed;
  bool report = false;
  const bool said = session.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_cells(minima, axes, arguments, folder);
    write_hdf5(minima, arguments, description, folder);
    report = write_study_report(folder, arguments.study, model, result, [&] {
      StudyDocument document = picture(minima, best, axes, arguments, model);
      warnings.add_to(document);
      return document;
    });
  });
  if (said) return code;
  fmt::print(best.evaluation ? stdout : stderr, "{}\n", result["sentence"].get<std::string>());
  if (best.evaluation) fmt::print("{}\n", result["command"].get<std::string>());
  if (!doubtful.empty()) fmt::print(stderr, "{}\n", doubtful);
  fmt::print(stderr, "{}{}", failures.text(), warnings.text());
  fmt::print("{}{}\nresults: {}/cells.csv, results.h5 and {}\n",
             counted(result["evaluations"].get<long>(), "evaluation"),
             failures.count() > 0 ? fmt::format(", {} failed", failures.count()) : "", session.path(),
             report ? "result.json; report.html shows them" : "result.json");
  return code;
}

Json job_of(const OptimizeArguments& arguments) {
  return {{"over", arguments.study.over},
          {"minimize", arguments.minimized},
          {"maximize", arguments.maximized},
          {"subject", arguments.subject},
          {"method", arguments.options.method},
          {"evaluations", arguments.options.evaluations},
          {"tolerance", arguments.options.tolerance},
          {"starts", arguments.starts}};
}

// Gradients for a method that uses them. Without them the default method takes over, and a note gives the reason.
std::unique_ptr<GradientStudy> gradients_of(const Study& study, const std::vector<Axis>& axes,
                                            OptimizeArguments& arguments) {
  std::string& method = arguments.options.method;
  if (!takes_gradients(method)) return nullptr;
  if (const std::string why = GradientStudy::missing(study); !why.empty()) {
    method = default_method(arguments);
    arguments.note = fmt::format("there are no exact gradients: the model {}; {} searches without them", why, method);
    if (team_from_environment().rank == 0) fmt::print(stderr, "{}\n", arguments.note);
    return nullptr;
  }
  std::vector<double> ranges;
  for (const Axis& axis : axes) ranges.push_back(axis.to - axis.from);
  return std::make_unique<GradientStudy>(study, ranges);
}

int optimize(OptimizeArguments arguments) {
  choose_method(arguments);
  const Model model = arguments.study.read();
  const std::vector<Axis> axes = arguments.study.axes(model, false);
  if (axes.empty()) throw UsageError("optimize: expected at least one --over NAME=FROM:TO");
  const std::vector<std::string> names = names_of(axes);
  const Varied varied = in_option("--over", [&] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  in_option(arguments.maximizes() ? "--maximize" : "--minimize", [&] { formulas.add_number(arguments.objective()); });
  for (const std::string& text : arguments.subject)
    in_option("--subject " + text, [&] { formulas.add_number(excess_of(text)); });
  const Study study(varied, formulas);
  const auto gradients = gradients_of(study, axes, arguments);
  const Points starts = start_points(axes, model, arguments.starts);
  check_variables(arguments.study, study, names, values_on(axes));

  const SearchRecord record(axes.size(), arguments.subject.size(), arguments.options.evaluations);
  CellSession session(arguments.study, "optimize", model, study.prepared(), job_of(arguments), record.width());
  const CellTable table = session.run(searches(starts, axes, study, gradients.get(), arguments, record), 0, "optimize");
  std::vector<Minimum> minima;
  for (long k = 0; k < table.count(); ++k) minima.push_back(record.read(table.row(k)));
  const Best best = best_of(minima);
  if (table.missing() == 0) return session.writes() ? finish(minima, best, axes, arguments, model, study, session) : ok;
  if (best.evaluation) fmt::print("best so far: {}\n", command_at(best, axes, arguments, model));
  return session.stopped(table.count());
}

}  // namespace

Verb add_optimize(CLI::App& app) {
  auto arguments = std::make_shared<OptimizeArguments>();
  CLI::App* verb = app.add_subcommand("optimize", "find the parameters for which a number of the motion is smallest");
  verb->footer(optimize_examples);
  arguments->study.add_to(*verb,
                          "vary a parameter, a start value (NAME of a coordinate) or a start speed (NAME.v): FROM:TO; "
                          "may be repeated");
  verb->add_option("--minimize", arguments->minimized, "the number to make small")->type_name("FORMULA");
  verb->add_option("--maximize", arguments->maximized, "the number to make large")->type_name("FORMULA");
  verb->add_option("--subject", arguments->subject, "a condition that must hold: A <= B or A >= B; may be repeated")
      ->type_name("CONDITION")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--method", arguments->method, "bobyqa, cobyla, nelder_mead, subplex, direct, gradient")
      ->type_name("NAME");
  verb->add_option("--starts", arguments->starts, "so many searches from different points; 1 if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--evaluations", arguments->options.evaluations, "motions a search may take; 200 if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--tolerance", arguments->options.tolerance,
                   "of the variables, as a part of their ranges; 1e-6 if not given")
      ->type_name("R")
      ->check(CLI::Range(1e-15, 0.5));
  return [arguments] { return optimize(*arguments); };
}

}  // namespace armature::internal::cli
