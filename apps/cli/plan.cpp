// armature plan FILE --to …: the motion that costs least within the limits of the motors.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "execute.hpp"
#include "expression/units.hpp"
#include "interrupt.hpp"
#include "lists.hpp"
#include "model_arguments.hpp"
#include "plan/plan_files.hpp"
#include "progress_bar.hpp"
#include "record/json_text.hpp"
#include "result_arguments.hpp"
#include "study/dimensions.hpp"
#include "study/variables.hpp"
#include "terminal.hpp"
#include "trust.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* plan_examples =
    "Examples:\n"
    "  armature plan models/plan/cart.yaml --to 'travel=1 m' --input push=-2:2\n"
    "  armature plan models/plan/cart.yaml --to 'travel=1 m' --minimize 'push^2' --time 1\n"
    "  armature plan models/plan/swing_up.yaml --to travel=0 --to 'swing=180 deg' \\\n"
    "      --minimize loss --time 1.5 --gains -o swing_up\n"
    "  armature plan models/plan/five_bar.yaml --to 'hand.x=0.15 m' --to 'hand.y=0.35 m' \\\n"
    "      --keep '(hand.x - 0.05 m)^2 + (hand.y - 0.28 m)^2 >= (50 mm)^2'\n"
    "\nThe motion begins at the start of the file and ends at rest at the target that --to gives. The plan finds the "
    "model's inputs as functions of time; "
    "limits of drives and end stops of joints hold.\n"
    "--minimize: time, energy (electrical and applied), loss (heat of the windings), current (the largest), or a "
    "formula whose integral over time "
    "is minimized.\n"
    "The result is a run with these inputs, and inputs.csv: 'armature run FILE --inputs inputs.csv' repeats it.";

struct PlanArguments {
  ModelArguments model;
  std::vector<std::string> to, input, keep, along;
  std::string minimize = "time", time, within, output;
  bool moving = false, gains = false, no_report = false;
  int starts = 1, intervals = 20, most_intervals = 400, iterations = 1000;
  double accuracy = 1e-5;
};

PlanOptions::InputRange input_range(const std::string& text, const Model& model) {
  const auto [name, range] = split_assignment(text, "--input");
  const std::vector<std::string> ends = split_list(range, ':');
  if (ends.size() != 2) throw UsageError(fmt::format("--input {}: expected NAME=LOW:HIGH", text));
  PlanOptions::InputRange result{name};
  in_option("input " + text, [&, &name = name] {
    std::optional<Dimension> dimension;
    for (const HostInput& input : model.inputs)
      if (input.name == name) dimension = input.dimension;
    result.low = constant_in(ends[0], model, dimension), result.high = constant_in(ends[1], model, dimension);
  });
  if (!(result.low < result.high)) throw UsageError(fmt::format("--input {}: the range is empty", text));
  return result;
}

void take_time(const std::string& text, const Model& model, PlanOptions& options) {
  if (text.empty()) return;
  const std::vector<std::string> ends = split_list(text, ':');
  if (ends.size() > 2) throw UsageError(fmt::format("--time {}: expected SECONDS or SHORTEST:LONGEST", text));
  const auto seconds = [&](const std::string& end) {
    return in_option("time " + text, [&] { return constant_in(end, model, time_dimension); });
  };
  options.shortest = seconds(ends.front()), options.longest = seconds(ends.back());
  if (!(*options.shortest > 0) || *options.longest < *options.shortest)
    throw UsageError(fmt::format("--time {}: expected positive times, the shortest first", text));
}

PlanOptions options_of_plan(const PlanArguments& arguments, const Model& model) {
  PlanOptions options;
  for (const auto& [formula, value] : split_assignments(arguments.to, "--to")) options.to.emplace_back(formula, value);
  for (const auto& [formula, value] : split_assignments(arguments.along, "--along"))
    options.along.emplace_back(formula, value);
  for (const std::string& text : arguments.input) options.inputs.push_back(input_range(text, model));
  take_time(arguments.time, model, options);
  options.keep = arguments.keep, options.minimize = arguments.minimize, options.within = arguments.within;
  options.moving = arguments.moving, options.gains = arguments.gains;
  options.starts = arguments.starts, options.intervals = arguments.intervals,
  options.most_intervals = arguments.most_intervals;
  options.iterations = arguments.iterations, options.accuracy = arguments.accuracy;
  options.settings = arguments.model.settings();
  return options;
}

PlanResult plan_watched(const Model& model, PlanOptions& options, bool json) {
  Interrupt interrupt;
  ProgressBar bar(0, 1);
  std::string line = "compiling";
  options.progress = [&](const std::string& what) {
    if (!what.empty()) line = what;
    if (!json) bar.show([&](double) { return line; });
    return !interrupt.requested();
  };
  return plan(model, options);
}

void print_plan(const PlanResult& result) {
  if (result.status == PlanStatus::found)
    fmt::print("{}\n", fitted(result.sentence));
  else
    fmt::print(stderr, "{}\n", styled(Style::error, fitted(result.sentence, stderr, 2), stderr));
  for (const std::string& warning : result.warnings) print_warning(warning);
  for (const std::string& note : result.notes) print_note(note);
  if (!result.has_motion || result.rounds.empty() || quiet()) return;
  TextTable table(
      {"intervals", "iterations", fmt::format("cost [{}]", result.machine->cost_unit), "simulated end off by"});
  for (const PlanResult::Round& round : result.rounds)
    table.add({fmt::format("{}", round.intervals), fmt::format("{}", round.iterations),
               fmt::format("{:.7g}", round.cost),
               std::isfinite(round.end_error) ? fmt::format("{:.2g}", round.end_error) : "did not get there"});
  table.print();
  fmt::print("duration {:.6g} s, found in {:.3g} s\n", result.motion.duration, result.seconds);
  if (!result.active.empty())
    fmt::print("{}\n", fitted(fmt::format("active limits: {}", fmt::join(result.active, ", "))));
  fmt::print("simulated: targets missed by {:.2g} at most, constraint error {:.2g}\n", result.target_error,
             result.constraint_error);
}

// The answer on the page: what was asked for, what it costs, and what holds it back.
nlohmann::ordered_json tables_of(const PlanResult& result, const PlanOptions& options) {
  std::vector<std::vector<std::string>> rows{
      {"minimized", options.minimize}, {"cost", fmt::format("{:.6g} {}", result.cost, result.machine->cost_unit)}};
  for (const auto& [formula, value] : options.to) rows.push_back({"at the end " + formula, value});
  for (const std::string& condition : options.keep) rows.push_back({"at all times", condition});
  rows.push_back({"duration", fmt::format("{:.6g} s", result.motion.duration)});
  rows.push_back({"active limits", result.active.empty() ? "none" : fmt::format("{}", fmt::join(result.active, ", "))});
  rows.push_back({"targets missed by", fmt::format("{:.2g}", result.target_error)});
  for (const std::string& warning : result.warnings) rows.push_back({"warning", warning});
  for (const std::string& note : result.notes) rows.push_back({"note", note});
  const auto none = nlohmann::ordered_json::array();
  return nlohmann::ordered_json::array({{{"title", "Plan"}, {"header", none}, {"rows", {{result.sentence}}}},
                                        {{"title", "Planned motion"}, {"header", none}, {"rows", rows}}});
}

int plan_model(const PlanArguments& arguments) {
  const Model model = arguments.model.read();
  refuse_fmus(model);
  PlanOptions options = options_of_plan(arguments, model);
  const PlanResult result = plan_watched(model, options, arguments.model.json);
  if (!arguments.model.json) print_plan(result);
  if (!result.has_motion) {
    if (arguments.model.json) fmt::print("{}\n", json_text(to_json(result, options)));
    return failed;
  }
  const Model driven = driven_model(model, *result.collocation, result.motion);
  Prepared prepared = compile(driven);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  Job job{driven,
          arguments.model.settings(),
          prepared,
          result_folder(arguments.output, arguments.model.file, "plan"),
          arguments.model.json,
          !arguments.no_report};
  if (result.status != PlanStatus::found)
    job.ending = result.status == PlanStatus::stopped ? Ending::stopped : Ending::failed;
  job.further_files = [&](const std::filesystem::path& folder) { return write_files(result, options, folder); };
  job.further_json = [&](nlohmann::ordered_json& json) { json["plan"] = to_json(result, options); };
  job.further_page = [&](nlohmann::ordered_json& json) { json["tables"] = tables_of(result, options); };
  const int code = execute(job, [](const Prepared& run, Recorder& recorder, const Progress& progress,
                                   const Warn& warn) { return simulate(run, recorder, progress, warn); });
  return result.status == PlanStatus::found ? code : failed;
}

}  // namespace

Verb add_plan(CLI::App& app) {
  auto arguments = std::make_shared<PlanArguments>();
  CLI::App* verb = app.add_subcommand("plan", "find the motion of least cost within the motors' limits");
  verb->footer(plan_examples);
  arguments->model.add_to(*verb);
  const auto repeatable = [](CLI::Option* option, const char* type) {
    option->type_name(type)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  repeatable(verb->add_option("--to", arguments->to, "value of a coordinate, point or formula at the end; repeatable"),
             "FORMULA=VALUE");
  verb->add_flag("--moving", arguments->moving, "leave the speeds at the end free, except those that --to names");
  verb->add_option("--minimize", arguments->minimize, "time, energy, loss, current or a formula (default: time)")
      ->type_name("COST");
  verb->add_option("--time", arguments->time,
                   "duration, or its range (default: free for time, else the end of the file's run)")
      ->type_name("SECONDS[:SECONDS]");
  repeatable(verb->add_option("--input", arguments->input, "bounds of an input; repeatable"), "NAME=LOW:HIGH");
  repeatable(
      verb->add_option("--keep", arguments->keep,
                       "condition that must hold at all times, such as an obstacle or a temperature limit; repeatable"),
      "COMPARISON");
  repeatable(
      verb->add_option("--along", arguments->along,
                       "path to follow: a formula given as a function of 'path', which runs from 0 to 1; repeatable"),
      "FORMULA=FORMULA");
  verb->add_option("--within", arguments->within, "largest deviation from the path")->type_name("LENGTH");
  verb->add_flag("--gains", arguments->gains, "also write gains.csv: feedback along the motion");
  verb->add_option("--accuracy", arguments->accuracy,
                   "accuracy of the simulated end state, in radians and machine lengths (default: 1e-5)")
      ->type_name("NUMBER")
      ->check(positive);
  verb->add_option("--starts", arguments->starts,
                   "first guesses, from each of which a motion is searched: the best counts (default: 1)")
      ->type_name("N")
      ->check(whole_between(1, 10000));
  verb->add_option("--intervals", arguments->intervals, "intervals of the first mesh (default: 20)")
      ->type_name("N")
      ->check(whole_between(2, 10000));
  verb->add_option("--most-intervals", arguments->most_intervals,
                   "largest number of intervals of a mesh (default: 400)")
      ->type_name("N")
      ->check(whole_between(2, 100000));
  verb->add_option("--iterations", arguments->iterations, "largest number of iterations on each mesh (default: 1000)")
      ->type_name("N")
      ->check(whole_between(1, 1000000));
  verb->add_option("-o,--output", arguments->output, "results folder (default: results/<file>_plan)")->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  return [arguments] { return plan_model(*arguments); };
}

}  // namespace armature::internal::cli
