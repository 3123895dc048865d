// armature optimize FILE --over … --minimize …: the parameters for which a number of the motion is smallest.

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "errors.hpp"
#include "model/counted.hpp"
#include "number_with_error.hpp"
#include "report/study_picture.hpp"
#include "run_command.hpp"
#include "study/optimization.hpp"
#include "study/study_files.hpp"
#include "study/variables.hpp"
#include "study_report.hpp"
#include "study_terminal.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* optimize_examples =
    "Examples:\n"
    "  armature optimize models/crane.yaml --over volts=2:12 \\\n"
    "      --minimize '(final(travel) - 1)^2'\n"
    "  armature optimize models/crane.yaml --over volts=2:12 --over rope=0.4:1 \\\n"
    "      --minimize '(final(travel) - 1)^2' --subject 'max(abs(swing)) <= 0.05' \\\n"
    "      --starts 4\n"
    "  armature optimize models/design/five_bar.yaml --over l1=0.2:0.3 \\\n"
    "      --choose ratio=20,40,80 --scenario load=0.5 --scenario load=1.5 \\\n"
    "      --deviation 'l2=1 mm' --minimize 'integral(loss)' --method gradient\n"
    "\nFormulas are over the whole motion: initial(x), final(x), at(x, T), max(x), min(x), mean(x), integral(x), "
    "turns(x), first(condition), last(condition).\n"
    "The first search starts from the model's own values (an initial value: from the middle of its range), further "
    "searches (--starts) from points of a Sobol sequence.\n"
    "Methods without derivatives: bobyqa (default), cobyla (default with --subject), nelder_mead, subplex, and direct, "
    "which searches the whole box.\n"
    "gradient uses exact derivatives of the motion, through its events, and accepts --subject; it needs the fewest "
    "motions.\n"
    "The name of a list or a table varies all of its elements.\n"
    "--against computes the Pareto front of two numbers: designs that no other design beats in both.\n"
    "Every combination of choices (--choose) gets its own search. With scenarios and deviations, the worst case of a "
    "design counts, and conditions must hold in all cases.";

struct OptimizeArguments {
  StudyArguments study;
  std::string minimized, maximized;
  OptimizationOptions optimize;
};

// Where the model takes the tables of the best motion from: no --set can replace a table.
std::string table_hint(const OptimizationResult& found, const std::string& folder) {
  std::string changes;
  for (const OptimizationResult::BestTable& best : found.tables)
    changes += fmt::format("{}tables.{}.file to {}/{}.csv", changes.empty() ? "" : ", ", best.name, folder, best.name);
  return changes.empty() ? "" : fmt::format("set {} in the model", changes);
}

// A point of the page has a command, unless it takes a table; the study may look at the worst of several motions.
StudyDocument page_of(const OptimizationResult& found, const Model& model, const std::string& folder) {
  StudyDocument document = optimization_picture(found, model);
  document.command = result_option("objective=" + found.objective);
  if (!found.against.empty() && found.cases == 1) document.command += result_option("against=" + found.against);
  document.has_command = found.tables.empty();
  if (!document.has_command)
    document.command_note = fmt::format("No command can replace the points of a table. To run the best motion, {}.",
                                        table_hint(found, folder));
  else if (found.cases > 1)
    document.command_note = fmt::format(
        "The study rates a design by the worst of {} motions (scenarios and deviations). The command runs the one with "
        "the worst {}{}.",
        found.cases, found.objective,
        found.against.empty() ? "" : fmt::format("; the worst {} may be that of another one", found.against));
  return document;
}

// The names that a command can set, and its words for them: points of tables are in files of their own.
std::pair<std::vector<std::string>, std::string> settings_of(const Model& model, const std::vector<std::string>& all,
                                                             const std::vector<double>& values) {
  std::vector<std::string> names;
  std::vector<double> point;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!table_point(model, all[k])) names.push_back(all[k]), point.push_back(values[k]);
  return {names, point_settings(model, names, point)};
}

// What one process of the team does at the end.
int finish(const OptimizationResult& found, const OptimizeArguments& arguments, const Model& model,
           const std::string& set, const std::string& command, StudyTerminal& terminal) {
  Json result = to_json(found, set, command);
  std::optional<StudyErrors> errors;
  if (const auto time = found.best() ? terminal.time_for_errors() : std::nullopt) {
    errors = errors_of(model, arguments.study.model.settings(), arguments.optimize, found, *time);
    result["errors"] = to_json(*errors, {found.objective});
  }
  bool report = false;
  const bool said = terminal.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_files(found, description, folder);
    report = write_study_report(folder, arguments.study, model, result,
                                [&] { return page_of(found, model, terminal.path()); });
  });
  const int code = found.best() && !found.mostly_failed() ? ok : failed;
  if (said) return code;
  if (found.best()) {
    const std::string hint = table_hint(found, terminal.path());
    const bool known = errors && !errors->worst.empty() && !quiet();
    const std::string error = known ? fmt::format(" (± {})", error_in_words(errors->worst[0])) : "";
    std::string sentence = found.sentence;
    sentence.insert(std::min(sentence.find(';'), sentence.size()), error);  // behind the number
    fmt::print("{}\n{}{}\n", fitted(sentence), command, hint.empty() ? "" : "  # first " + hint);
    if (errors) print_note(source_of(*errors));
  } else {
    fmt::print(stderr, "{}\n", styled(Style::error, found.sentence, stderr));
  }
  for (const std::string& doubt : {found.ends_sentence(), found.caveat})
    if (!doubt.empty()) fmt::print(stderr, "{}\n", styled(Style::warning, fitted(doubt, stderr), stderr));
  print_diagnostics(found.failures, found.warnings);
  fmt::print("{}{}{}\n", counted(found.evaluations, "evaluation"),
             found.cases > 1 ? fmt::format(" of {} motions", found.cases) : "",
             found.failures.count > 0 ? fmt::format(", {} failed", found.failures.count) : "");
  std::vector<std::string> files{"cells.csv", found.against.empty() ? "" : "front.csv", "results.h5", "result.json",
                                 report ? "report.html" : ""};
  for (const OptimizationResult::BestTable& best : found.tables) files.push_back(best.name + ".csv");
  print_results(terminal.path(), files);
  return code;
}

int optimize(OptimizeArguments arguments) {
  if (arguments.minimized.empty() == arguments.maximized.empty())
    throw UsageError("optimize: expected one of --minimize FORMULA and --maximize FORMULA");
  OptimizationOptions& options = arguments.optimize;
  options.maximize = !arguments.maximized.empty();
  options.objective = options.maximize ? arguments.maximized : arguments.minimized;
  const Model model = arguments.study.read();
  options.over = arguments.study.axes(model, false);
  options.inverse = arguments.study.inverse;
  StudyTerminal terminal(arguments.study, "optimize", {{"over", arguments.study.over}});
  const OptimizationResult found = optimize_motion(model, options, terminal.session());
  if (!found.note.empty() && terminal.session().team().rank == 0)
    fmt::print(stderr, "{}\n", fitted(found.note, stderr));

  std::string set, command;  // of the best motion
  if (const Evaluation* best = found.best()) {
    std::vector<std::string> names;
    for (std::size_t d = 0; d < found.variables; ++d)
      names.push_back(found.over[d].name);  // elements of lists by themselves
    std::vector<double> point(best->point.begin(), best->point.begin() + static_cast<std::ptrdiff_t>(names.size()));
    for (const auto& [name, value] : found.chosen_values) names.push_back(name), point.push_back(value);
    set = settings_of(model, names, point).second;
    const auto [run, settings] =
        found.cases > 1 ? settings_of(model, found.names, best->motion) : settings_of(model, names, point);
    command = shared_command(arguments.study, model, run) + (settings.empty() ? "" : " " + settings);
  }
  if (found.complete) return terminal.session().writes() ? finish(found, arguments, model, set, command, terminal) : ok;
  if (found.best()) fmt::print("best so far: {}\n", command);
  return terminal.stopped(static_cast<long>(found.searches.size()));
}

}  // namespace

Verb add_optimize(CLI::App& app) {
  auto arguments = std::make_shared<OptimizeArguments>();
  CLI::App* verb = app.add_subcommand("optimize", "find the parameters that minimize a result of the motion");
  verb->footer(optimize_examples);
  arguments->study.add_to(*verb, "FROM:TO; repeatable");
  arguments->study.add_inverse_to(*verb);
  verb->add_option("--minimize", arguments->minimized, "minimize this number")->type_name("FORMULA");
  verb->add_option("--maximize", arguments->maximized, "maximize this number")->type_name("FORMULA");
  verb->add_option("--subject", arguments->optimize.subject, "a condition to satisfy: A <= B or A >= B; repeatable")
      ->type_name("CONDITION")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const auto add_list = [&](const char* name, std::vector<std::string>& list, const char* words, const char* type) {
    verb->add_option(name, list, words)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  add_list("--choose", arguments->optimize.choose,
           "choose one of several parameter values, or one of several files with parameter values; repeatable",
           "NAME=A,B,C");
  add_list("--scenario", arguments->optimize.scenarios,
           "a load or a motion; the worst of all scenarios counts; repeatable", "NAME=VALUE,…");
  add_list("--deviation", arguments->optimize.deviations,
           "tolerance of a parameter; the worst corner counts; repeatable", "NAME=SIZE");
  verb->add_option("--against", arguments->optimize.against,
                   "second number to minimize: computes the Pareto front of both")
      ->type_name("FORMULA");
  verb->add_option("--front", arguments->optimize.front,
                   "number of designs on the front, including its two ends (default: 9)")
      ->type_name("N")
      ->check(whole_between(2, 1000));
  verb->add_option("--method", arguments->optimize.method, "bobyqa, cobyla, nelder_mead, subplex, direct, gradient")
      ->type_name("NAME");
  verb->add_option("--derivatives", arguments->optimize.derivatives,
                   "derivatives for gradient: forward, adjoint, or auto, which uses adjoint with 24 variables or more "
                   "per result (default: auto)")
      ->type_name("WAY");
  verb->add_option("--starts", arguments->optimize.starts, "number of searches, from different points (default: 1)")
      ->type_name("N")
      ->check(whole_between(1, 1000000));
  verb->add_option("--evaluations", arguments->optimize.evaluations,
                   "largest number of motions per search (default: 200)")
      ->type_name("N")
      ->check(whole_between(1, 1000000));
  verb->add_option("--tolerance", arguments->optimize.tolerance,
                   "tolerance of the variables, relative to their ranges (default: 1e-6)")
      ->type_name("TOL")
      ->check(between(1e-15, 0.5));
  return [arguments] { return optimize(*arguments); };
}

}  // namespace armature::internal::cli
