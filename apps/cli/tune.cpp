// armature tune FILE: the gains of Baumgarte's method for an integrator and a step.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>

#include "errors.hpp"
#include "expression/number_text.hpp"
#include "gpu_arguments.hpp"
#include "integrate/integrator.hpp"
#include "lists.hpp"
#include "model/counted.hpp"
#include "report/tuning_picture.hpp"
#include "report_page.hpp"
#include "run_command.hpp"
#include "simulate_arguments.hpp"
#include "study_terminal.hpp"
#include "terminal.hpp"
#include "trust.hpp"
#include "tuning/tuning_study.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* tune_examples =
    "Examples:\n"
    "  armature tune models/arm_on_circle.yaml --integrator euler --step 0.1 \\\n"
    "      --alpha 0.5:20:40 --beta 0.5:20:40\n"
    "  armature tune models/rrr.yaml --integrator rk4 --step 1e-3 --end 1 \\\n"
    "      --of platform.C --refine 2\n"
    "\nE1 and E2 are (1/T) sqrt of the integral of the squared error in position and velocity; e = sqrt(c E1^2 + d "
    "E2^2).\n"
    "Without --alpha and --beta, the grid covers the integrator's stability region.\n"
    "dopri5 and dop853 take steps of --step, without error control.\n"
    "After Ctrl-C, --resume continues with the remaining cells.";

struct TuneArguments {
  SessionArguments session;
  SimulateArguments simulate;
  std::string alpha, beta, weights = "0.5,0.5", of;
  double speed_limit = 1e3;
  int refine = 0, lanes = lane_count;
  GpuArguments gpu;
};

double weight(const std::string& text, const std::string& all) {
  const std::optional<double> value = read_number(text);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    throw UsageError(fmt::format("--weights {}: '{}' is not a weight", all, text));
  return *value;
}

// A gain that pushes away from the constraints stabilizes nothing.
std::vector<double> gains(const std::string& text, const char* option) {
  std::vector<double> values = range(text, option);
  if (std::ranges::any_of(values, [](double gain) { return !(gain >= 0) || !std::isfinite(gain); }))
    throw UsageError(fmt::format("{} {}: gains must not be negative", option, text));
  return values;
}

TuningOptions options_of(const TuneArguments& arguments) {
  TuningOptions options;
  if (!arguments.alpha.empty()) options.alpha = gains(arguments.alpha, "--alpha");
  if (!arguments.beta.empty()) options.beta = gains(arguments.beta, "--beta");
  const auto weights = split_list(arguments.weights);
  if (weights.size() != 2) throw UsageError(fmt::format("--weights {}: expected C,D", arguments.weights));
  options.c = weight(weights[0], arguments.weights), options.d = weight(weights[1], arguments.weights);
  if (options.c + options.d == 0)
    throw UsageError(fmt::format("--weights {}: one of them must not be zero", arguments.weights));
  options.of = arguments.of, options.speed_limit = arguments.speed_limit, options.refine = arguments.refine;
  options.lanes = arguments.lanes;
  return options;
}

void print_region(const Tuning& tuning) {
  if (!tuning.region) {
    fmt::print("{} has no one-step stability region\n", tuning.integrator);
    return;
  }
  const StabilityRegion& region = *tuning.region;
  fmt::print("{}\n", fitted(fmt::format("stability of {} in x = alpha step, y = beta step^2: area {:.8g}, highest at "
                                        "({:.8g}, {:.8g}), x up to {:.8g}",
                                        tuning.integrator, region.area, region.highest.x(), region.highest.y(),
                                        region.rightmost.x())));
  fmt::print("corners:");
  for (const auto& corner : region.corners) fmt::print(" ({:.8g}, {:.8g})", corner.x(), corner.y());
  fmt::print("\n");
}

// Pairs of gains that lie outside the region of stability have a star.
bool is_outside(const TuningCell& cell) { return std::isnan(cell.lost) && !cell.stable && cell.alpha != 0; }

void add_row(const std::string& name, const TuningCell* cell, TextTable& table) {
  if (!cell) return table.add({name, "none"});
  std::vector<std::string> row{name + (is_outside(*cell) ? " *" : ""), fmt::format("{:.6g}", cell->alpha),
                               fmt::format("{:.6g}", cell->beta)};
  if (std::isnan(cell->lost))
    for (const double error : {cell->E1, cell->E2, cell->e}) row.push_back(fmt::format("{:.7g}", error));
  else
    row.push_back(fmt::format("diverged at {:.4g} s", cell->lost));
  table.add(row);
}

void print_text(const Tuning& tuning) {
  print_region(tuning);
  const TuningGrid& grid = tuning.grids.front();
  long stable = 0, both = 0;
  for (const TuningCell& cell : grid.cells) stable += cell.stable, both += cell.stable && cell.selectable();
  fmt::print("{}\n", fitted(fmt::format(
                         "{} of gains in {:.3g} s: {} stable by the region, {} selectable by simulation, {} both",
                         counted(static_cast<long>(grid.cells.size()), "pair"), tuning.seconds, stable,
                         grid.selectable(), both)));
  TextTable table({"", "alpha", "beta", "E1", "E2", "e"});
  std::vector<std::pair<std::string, const TuningCell*>> rows{{"least E1", grid.least(&TuningCell::E1)},
                                                              {"least E2", grid.least(&TuningCell::E2)},
                                                              {"least e", grid.least(&TuningCell::e)}};
  if (tuning.grids.size() > 1) rows.emplace_back("refined", &tuning.best);
  rows.emplace_back("no stabilization", &tuning.none);
  rows.emplace_back("projection", &tuning.projection);
  for (const auto& [name, cell] : rows) add_row(name, cell, table);
  table.print();
  if (std::ranges::any_of(rows, [](const auto& row) { return row.second && is_outside(*row.second); }))
    fmt::print("* outside the region of stability\n");
  fmt::print("{}\n", fitted(recommendation(tuning)));
}

// The command that runs one pair of gains. Pairs of error-controlled integrators take steps of a length that `run` does not offer.
std::string gains_command(const TuneArguments& arguments, const Model& model) {
  if (method_of(model.simulate.integrator).controlled) return {};
  StudyArguments run;
  static_cast<SessionArguments&>(run) = arguments.session;
  run.simulate = arguments.simulate;
  run.simulate.stabilization.reset();
  return shared_command(run, model, {}) + " --stabilization baumgarte:{alpha}:{beta}";
}

// What one process of the team does at the end.
int finish(const TuningResult& result, const TuneArguments& arguments, const Cards& cards, const Model& model,
           StudyTerminal& terminal) {
  const Tuning& tuning = result.tuning;
  bool report = false;
  const auto write = [&](const std::filesystem::path& folder, const Json& description) {
    auto files = std::async(std::launch::async, [&] { write_files(tuning, description, folder); });
    report = !arguments.session.no_report && write_report(folder, Page::study, arguments.session.model.json, [&] {
      StudyDocument page = tuning_picture(tuning);
      page.command = gains_command(arguments, model);
      if (page.command.empty())
        page.command_note =
            "No command runs a single pair: tune uses this method with fixed steps, which armature run does not offer.";
      return to_json(page, model);
    });
    files.get();
  };
  const int code = tuning.found ? ok : failed;
  if (terminal.publish(to_json(result), write, "tune.json")) return code;
  print_text(tuning);
  for (const Finding& finding : result.findings)
    print_warning(fmt::format("a run with these gains warns: {}", finding.sentence));
  print_note(terminal.how());
  print_shares(cards, tuning.shares, "pair");
  print_results(terminal.path(), {"tune.json", "tune.csv", tuning.region ? "stability_region.csv" : "", "results.h5",
                                  report ? "report.html" : ""});
  return code;
}

int tune_model(const TuneArguments& arguments) {
  TuningOptions options = options_of(arguments);
  Model model = arguments.session.model.read();
  refuse_fmus(model);
  arguments.simulate.apply(model.simulate, arguments.session.model.settings(), true);
  options.cards = arguments.gpu.cards();
  StudyTerminal terminal(arguments.session, "tune",
                         {{"alpha", arguments.alpha}, {"beta", arguments.beta}, {"weights", arguments.weights}});
  const TuningResult result = tune_gains(model, options, terminal.session());
  if (!result.tuning.complete) return terminal.stopped(result.tuning.runs);
  return terminal.session().writes() ? finish(result, arguments, options.cards, model, terminal) : ok;
}

}  // namespace

Verb add_tune(CLI::App& app) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* verb = app.add_subcommand("tune", "find gains for Baumgarte stabilization: stable region, least error");
  verb->footer(tune_examples);
  arguments->session.model.add_to(*verb);
  verb->add_option("--alpha", arguments->alpha, "values of alpha, 1/s")->type_name("FROM:TO:COUNT");
  verb->add_option("--beta", arguments->beta, "values of beta, 1/s^2")->type_name("FROM:TO:COUNT");
  verb->add_option("--of", arguments->of,
                   "measure the error of a constraint, a point or a formula (default: all constraints)")
      ->type_name("NAME");
  verb->add_option("--weights", arguments->weights, "c and d of e = sqrt(c E1^2 + d E2^2) (default: 0.5,0.5)")
      ->type_name("C,D");
  verb->add_option("--speed-limit", arguments->speed_limit,
                   "give up a run in which a coordinate moves faster (default: 1000)")
      ->type_name("V")
      ->check(positive);
  verb->add_option("--refine", arguments->refine, "add N finer grids around the best pair")
      ->type_name("N")
      ->check(whole_between(0, 30));
  verb->add_option("--lanes", arguments->lanes, "runs per thread at a time, 1 to 8; does not change the results")
      ->type_name("N")
      ->check(whole_between(1, lane_count))
      ->capture_default_str();
  arguments->gpu.add_to(*verb);
  arguments->session.add_to(*verb);
  arguments->simulate.add_to(*verb);
  return [arguments] { return tune_model(*arguments); };
}

}  // namespace armature::internal::cli
