// armature sweep FILE --over … --result …: numbers of the motion over many parameters and start values.

#include <fmt/format.h>

#include <memory>

#include "model/counted.hpp"
#include "number_with_error.hpp"
#include "point_list.hpp"
#include "report/study_picture.hpp"
#include "run_command.hpp"
#include "study/study_files.hpp"
#include "study/sweep.hpp"
#include "study_report.hpp"
#include "study_terminal.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* sweep_examples =
    "Examples:\n"
    "  armature sweep models/crane.yaml --over rope=0.5:1:11 --over volts=5:15:11 \\\n"
    "      --result 'swing=max(abs(swing))'\n"
    "  armature sweep models/crane.yaml --sobol 256 --over rope=0.5:1 \\\n"
    "      --over volts=5:15 --result 'peak=max(motor.current)'\n"
    "  printf 'rope,volts\\n0.6,8\\n0.8,12\\n' > measured.csv\n"
    "  armature sweep models/crane.yaml --list measured.csv \\\n"
    "      --result 'way=final(travel) - initial(travel)'\n"
    "\nResults are formulas over the whole motion: initial(x), final(x), at(x, T), max(x), min(x), mean(x), "
    "integral(x), turns(x), first(condition), last(condition).\n"
    "After Ctrl-C, --resume continues with the remaining cells.";

struct SweepArguments {
  StudyArguments study;
  std::vector<std::string> results;  // "name=formula"
  std::string list;
  SweepOptions sweep;
};

std::string number(double x, bool known) { return known ? fmt::format("{:.5g}", x) : "-"; }

void print_statistics(const SweepResult& sweep, const std::optional<StudyErrors>& errors) {
  const std::pair<const char*, double Distribution::*> rows[] = {
      {"mean", &Distribution::mean}, {"std. dev.", &Distribution::deviation}, {"min", &Distribution::least},
      {"5 %", &Distribution::q05},   {"median", &Distribution::median},       {"95 %", &Distribution::q95},
      {"max", &Distribution::most}};
  std::vector<std::string> header{""};
  header.insert(header.end(), sweep.results.begin(), sweep.results.end());
  TextTable table(header);
  for (const auto& [name, what] : rows) {
    std::vector<std::string> row{name};
    for (const auto& [distribution, effects] : sweep.statistics)
      row.push_back(number(distribution.*what, distribution.count > 0));
    table.add(row);
  }
  if (errors && !errors->worst.empty()) {
    std::vector<std::string> row{"error"};
    for (const double error : errors->worst) row.push_back(error_in_words(error));
    table.add(row);
  }
  table.print();
  if (errors) print_note((errors->worst.empty() ? "" : "error: the largest of ") + source_of(*errors));
  for (std::size_t k = 0; k < sweep.results.size(); ++k) {
    const long count = sweep.statistics[k].distribution.count, left_out = sweep.points.count() - count;
    if (count == 0)
      fmt::print("{} is not finite in any motion\n", sweep.results[k]);
    else if (left_out > 0)
      fmt::print("{}: {} without a finite value left out\n", sweep.results[k], counted(left_out, "motion"));
  }
}

void print_effects(const SweepResult& sweep) {
  fmt::print("\n{}\n",
             fitted(fmt::format("share of the variance explained by each variable alone ({})",
                                sweep.grid ? "means over the grid" : "from means of bins, corrected for noise")));
  std::vector<std::string> header{""};
  header.insert(header.end(), sweep.results.begin(), sweep.results.end());
  TextTable table(header);
  for (std::size_t v = 0; v < sweep.variables.size(); ++v) {
    std::vector<std::string> row{sweep.variables[v]};
    for (const auto& [distribution, effects] : sweep.statistics)
      row.push_back(distribution.count > 0 ? fmt::format("{:.1f} %", 100 * effects[v]) : "-");
    table.add(row);
  }
  table.print();
}

// What one process of the team does at the end.
int finish(const SweepResult& sweep, const SweepArguments& arguments, const Model& model, StudyTerminal& terminal) {
  Json result = to_json(sweep, command_pattern(arguments.study, model, sweep.variables));
  std::optional<StudyErrors> errors;
  if (const auto time = terminal.time_for_errors()) {
    errors = errors_of(model, arguments.study.model.settings(), arguments.sweep, sweep, *time);
    result["errors"] = to_json(*errors, sweep.results);
  }
  bool report = false;
  const bool said = terminal.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_files(sweep, description, folder);
    report = write_study_report(folder, arguments.study, model, result, [&] {
      StudyDocument document = sweep_picture(sweep, model);
      StudyCard formulas{"Results", {}, {}};
      for (const std::string& text : arguments.results) {
        formulas.rows.push_back({text});
        document.command += result_option(text);
      }
      document.cards.push_back(formulas);
      return document;
    });
  });
  const int code = sweep.failures.all() ? failed : ok;
  if (said) return code;
  fmt::print("{}\n", fitted(sweep.sentence + (quiet() ? "" : "; " + terminal.how()), stdout, 2));
  print_shares(arguments.sweep.cards, sweep.shares, "motion");
  print_diagnostics(sweep.failures, sweep.warnings);
  fmt::print("\n");
  if (!sweep.failures.all()) print_statistics(sweep, errors), print_effects(sweep);
  fmt::print("\n");
  print_results(terminal.path(), {"cells.csv", "results.h5", "result.json", report ? "report.html" : ""});
  return code;
}

int sweep(SweepArguments arguments) {
  const Model model = arguments.study.read();
  SweepOptions& options = arguments.sweep;
  if (!arguments.list.empty())
    options.list = read_points(arguments.list, model);
  else
    options.over = arguments.study.axes(model, options.grid(), !options.grid());
  for (const std::string& text : arguments.results) options.results.push_back(split_assignment(text, "--result"));
  options.lanes = arguments.study.lanes;
  options.cards = arguments.study.gpu.cards();
  options.inverse = arguments.study.inverse;
  StudyTerminal terminal(arguments.study, "sweep", {{"over", arguments.study.over}, {"result", arguments.results}});
  const SweepResult sweep = sweep_motions(model, options, terminal.session());
  if (!sweep.complete) return terminal.stopped(sweep.points.count());
  return terminal.session().writes() ? finish(sweep, arguments, model, terminal) : ok;
}

}  // namespace

Verb add_sweep(CLI::App& app) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* verb = app.add_subcommand("sweep", "compute results of the motion over parameters and initial conditions");
  verb->footer(sweep_examples);
  arguments->study.add_to(*verb,
                          "FROM:TO:COUNT, or with --latin or --sobol FROM:TO, normal(MEAN, DEVIATION), "
                          "lognormal(MEDIAN, FACTOR) or triangular(FROM, MODE, TO); repeatable");
  arguments->study.add_lanes_to(*verb);
  arguments->study.gpu.add_to(*verb);
  arguments->study.add_inverse_to(*verb);
  verb->add_option("--result", arguments->results, "compute a result of the motion; repeatable")
      ->type_name("NAME=FORMULA")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  auto* latin = verb->add_option("--latin", arguments->sweep.latin, "use N points of a Latin hypercube")
                    ->type_name("N")
                    ->check(whole);
  auto* sobol = verb->add_option("--sobol", arguments->sweep.sobol, "use N points of a randomly shifted Sobol sequence")
                    ->type_name("N")
                    ->check(whole)
                    ->excludes(latin);
  verb->add_option("--list", arguments->list, "read the points from a CSV file with names in its first line")
      ->type_name("FILE")
      ->excludes(latin)
      ->excludes(sobol)
      ->excludes(verb->get_option("--over"));
  verb->add_option("--seed", arguments->sweep.seed, "seed of the random points (default: 1)")->type_name("N");
  return [arguments] { return sweep(*arguments); };
}

}  // namespace armature::internal::cli
