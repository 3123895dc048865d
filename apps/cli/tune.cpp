// armature tune FILE: the gains of Baumgarte's method for an integrator and a step.

#include "tuning/tuning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cell_session.hpp"
#include "errors.hpp"
#include "expression/interruption.hpp"
#include "integrate/integrator.hpp"
#include "interrupt.hpp"
#include "lists.hpp"
#include "record/hdf5_file.hpp"
#include "record/table.hpp"
#include "report_page.hpp"
#include "room.hpp"
#include "run/simulate.hpp"
#include "simulate_arguments.hpp"
#include "tuning/tuning_run.hpp"
#include "tuning_picture.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* tune_examples =
    "Examples:\n"
    "  armature tune models/arm_on_circle.yaml --integrator euler --step 0.1 --alpha 0.5:20:40 --beta 0.5:20:40\n"
    "  armature tune models/rrr.yaml --integrator rk4 --step 1e-3 --end 1 --of platform.C --refine 2\n"
    "\nE1 and E2 are (1/T) sqrt of the integral of the squared error of position and velocity, e = sqrt(c E1^2 + d "
    "E2^2).\n"
    "Without --alpha and --beta the grid covers the region of stability of the integrator. dopri5 and dop853 are run\n"
    "with the steps of --step, without error control. Ctrl-C keeps what is done for --resume.";

struct TuneArguments {
  SessionArguments session;
  SimulateArguments simulate;
  std::string alpha, beta, weights = "0.5,0.5", of;
  double speed_limit = 1e3;
  int refine = 0, lanes = lane_count;
};

double weight(const std::string& text, const std::string& all) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0) || !std::isfinite(value))
    throw UsageError(fmt::format("--weights {}: '{}' is not a weight", all, text));
  return value;
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

Json cell_json(const TuningCell& cell) {
  return {{"alpha", cell.alpha},           {"beta", cell.beta},
          {"stable", cell.stable},         {"lost_at", number_or_null(cell.lost)},
          {"E1", number_or_null(cell.E1)}, {"E2", number_or_null(cell.E2)},
          {"e", number_or_null(cell.e)}};
}

Json points_json(const std::vector<StabilityRegion::Point>& points) {
  Json list = Json::array();
  for (const auto& point : points) list.push_back({point.x(), point.y()});
  return list;
}

Json region_json(const StabilityRegion& region) {
  return {{"axes", {"alpha step", "beta step^2"}},
          {"area", region.area},
          {"corners", points_json(region.corners)},
          {"highest", {region.highest.x(), region.highest.y()}},
          {"rightmost", {region.rightmost.x(), region.rightmost.y()}},
          {"boundary", points_json(region.boundary)}};
}

Json counts_json(const TuningGrid& grid) {
  long stable = 0, both = 0;
  for (const TuningCell& cell : grid.cells) stable += cell.stable, both += cell.stable && cell.selectable();
  return {{"pairs", grid.cells.size()}, {"stable", stable}, {"selectable", grid.selectable()}, {"both", both}};
}

Json least_json(const TuningGrid& grid) {
  Json json = Json::object();
  for (const auto& [name, what] : {std::pair{"E1", &TuningCell::E1}, {"E2", &TuningCell::E2}, {"e", &TuningCell::e}})
    if (const TuningCell* cell = grid.least(what)) json[name] = cell_json(*cell);
  return json;
}

Json grid_json(const TuningGrid& grid) {
  Json json = {{"alpha", grid.alpha}, {"beta", grid.beta}, {"rows", "one a beta, alpha runs inside"}};
  const auto map = [&](const char* name, auto value) {
    Json rows = Json::array();
    for (std::size_t b = 0; b < grid.beta.size(); ++b) {
      Json row = Json::array();
      for (std::size_t a = 0; a < grid.alpha.size(); ++a) row.push_back(value(grid.cells[b * grid.alpha.size() + a]));
      rows.push_back(std::move(row));
    }
    json[name] = std::move(rows);
  };
  map("E1", [](const TuningCell& cell) { return number_or_null(cell.E1); });
  map("E2", [](const TuningCell& cell) { return number_or_null(cell.E2); });
  map("e", [](const TuningCell& cell) { return number_or_null(cell.e); });
  map("stable", [](const TuningCell& cell) { return Json(cell.stable); });
  map("lost_at", [](const TuningCell& cell) { return number_or_null(cell.lost); });
  return json;
}

Json to_json(const Tuning& tuning) {
  Json grids = Json::array();
  for (const TuningGrid& grid : tuning.grids) grids.push_back(grid_json(grid));
  Json json = {{"status", tuning.found ? "finished" : "failed"},
               {"sentence", recommendation(tuning)},
               {"integrator", tuning.integrator},
               {"step", tuning.step},
               {"end", tuning.end},
               {"errors_of", tuning.of.empty() ? "all constraints" : tuning.of}};
  if (tuning.found) json["best"] = cell_json(tuning.best);
  json["counts"] = counts_json(tuning.grids.front());
  json["least"] = least_json(tuning.grids.front());
  json["no_stabilization"] = cell_json(tuning.none);
  json["projection"] = cell_json(tuning.projection);
  if (tuning.region) json["stability_region"] = region_json(*tuning.region);
  json["grids"] = grids;
  return json;
}

void print_region(const Tuning& tuning) {
  if (!tuning.region) {
    fmt::print("{} has no region of stability of one step\n", tuning.integrator);
    return;
  }
  const StabilityRegion& region = *tuning.region;
  fmt::print(
      "stability of {} in x = alpha step, y = beta step^2: area {:.8g}, highest at ({:.8g}, {:.8g}), x up to {:.8g}\n",
      tuning.integrator, region.area, region.highest.x(), region.highest.y(), region.rightmost.x());
  fmt::print("corners:");
  for (const auto& corner : region.corners) fmt::print(" ({:.8g}, {:.8g})", corner.x(), corner.y());
  fmt::print("\n");
}

void print_row(const char* name, const TuningCell* cell) {
  if (!cell)
    fmt::print("{:<20} none\n", name);
  else if (!std::isnan(cell->lost))
    fmt::print("{:<20} {:>10.6g} {:>10.6g}   lost at {:.4g} s\n", name, cell->alpha, cell->beta, cell->lost);
  else
    fmt::print("{:<20} {:>10.6g} {:>10.6g} {:>14.7g} {:>14.7g} {:>14.7g}{}\n", name, cell->alpha, cell->beta, cell->E1,
               cell->E2, cell->e, cell->stable || cell->alpha == 0 ? "" : "  outside the region");
}

void print_text(const Tuning& tuning) {
  print_region(tuning);
  const TuningGrid& grid = tuning.grids.front();
  long stable = 0, both = 0;
  for (const TuningCell& cell : grid.cells) stable += cell.stable, both += cell.stable && cell.selectable();
  fmt::print("{} of gains in {:.3g} s: {} stable by the region, {} selectable by simulation, {} both\n",
             counted(static_cast<long>(grid.cells.size()), "pair"), tuning.seconds, stable, grid.selectable(), both);
  fmt::print("{:<20} {:>10} {:>10} {:>14} {:>14} {:>14}\n", "", "alpha", "beta", "E1", "E2", "e");
  print_row("least E1", grid.least(&TuningCell::E1));
  print_row("least E2", grid.least(&TuningCell::E2));
  print_row("least e", grid.least(&TuningCell::e));
  if (tuning.grids.size() > 1) print_row("refined", &tuning.best);
  print_row("no stabilization", &tuning.none);
  print_row("projection", &tuning.projection);
  fmt::print("{}\n", recommendation(tuning));
}

const std::vector<std::string> columns{"alpha [1/s]", "beta [1/s^2]", "stable", "lost [s]", "E1", "E2", "e"};

Eigen::MatrixXd table_of(const TuningGrid& grid) {
  Eigen::MatrixXd table(static_cast<Eigen::Index>(grid.cells.size()), 7);
  for (Eigen::Index k = 0; k < table.rows(); ++k) {
    const TuningCell& cell = grid.cells[static_cast<std::size_t>(k)];
    table.row(k) << cell.alpha, cell.beta, cell.stable, cell.lost, cell.E1, cell.E2, cell.e;
  }
  return table;
}

Eigen::MatrixXd boundary_of(const StabilityRegion& region) {
  Eigen::MatrixXd boundary(static_cast<Eigen::Index>(region.boundary.size()), 2);
  for (Eigen::Index k = 0; k < boundary.rows(); ++k)
    boundary.row(k) = region.boundary[static_cast<std::size_t>(k)].transpose();
  return boundary;
}

void write_tables(const Tuning& tuning, const std::filesystem::path& folder) {
  for (std::size_t g = 0; g < tuning.grids.size(); ++g)
    write_table(folder / (g == 0 ? "tune.csv" : fmt::format("tune_refined_{}.csv", g)), columns,
                table_of(tuning.grids[g]));
  if (tuning.region)
    write_table(folder / "stability_region.csv", {"alpha step", "beta step^2"}, boundary_of(*tuning.region));
}

void write_hdf5(const Tuning& tuning, const Json& description, const std::filesystem::path& folder) {
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  file.write("columns", fmt::format("{}", fmt::join(columns, ", ")));
  for (std::size_t g = 0; g < tuning.grids.size(); ++g)
    write_matrix(file, fmt::format("grid{}", g + 1), table_of(tuning.grids[g]));
  if (tuning.region) write_matrix(file, "stability_region", boundary_of(*tuning.region));
  file.close();
}

Json job_of(const TuneArguments& arguments) {
  return {{"alpha", arguments.alpha},     {"beta", arguments.beta},     {"of", arguments.of},
          {"weights", arguments.weights}, {"refine", arguments.refine}, {"speed_limit", arguments.speed_limit}};
}

// What a single run with the best gains finds wrong with its motion. Pairs without error control have no such run.
std::vector<Finding> findings_of_best(const Tuning& tuning, Model model) {
  if (!tuning.found || !takes_fixed_steps(tuning.integrator)) return {};
  model.simulate.projection = false, model.simulate.post_adjust.reset();
  model.simulate.alpha = tuning.best.alpha, model.simulate.beta = tuning.best.beta;
  Prepared prepared = compile(model);
  assemble_start(prepared);
  if (!prepared.failure.empty()) return {};
  MemoryRecorder rows;
  return simulate(prepared, rows, [](double, long) { return !interrupted(); }).findings;
}

Json to_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back({{"code", finding.code}, {"sentence", finding.sentence}});
  return list;
}

// What one process of the team does at the end.
int finish(const Tuning& tuning, const TuneArguments& arguments, const Model& model, CellSession& session) {
  const std::vector<Finding> findings = findings_of_best(tuning, model);
  Json result = to_json(tuning);
  result["best_findings"] = to_json(findings);
  bool report = false;
  const auto write = [&](const std::filesystem::path& folder, const Json& description) {
    write_tables(tuning, folder);
    write_hdf5(tuning, description, folder);
    report = !arguments.session.no_report && write_report(folder, Page::study, arguments.session.model.json,
                                                          [&] { return to_json(tuning_picture(tuning), model); });
  };
  const int code = tuning.found ? ok : failed;
  if (session.publish(result, write, "tune.json")) return code;
  print_text(tuning);
  for (const Finding& finding : findings)
    fmt::print(stderr, "warning: with these gains a run warns: {}\n", finding.sentence);
  fmt::print("{}\nresults: {}/tune.json, tune.csv, {}results.h5{}\n", session.how(), session.path(),
             tuning.region ? "stability_region.csv, " : "", report ? "; report.html shows them" : "");
  return code;
}

int tune_model(const TuneArguments& arguments) {
  constexpr double bytes_of_a_pair = 400;
  TuningOptions options = options_of(arguments);
  require_room({static_cast<long>(options.alpha.size()), static_cast<long>(options.beta.size())}, bytes_of_a_pair,
               "--alpha, --beta");
  Model model = arguments.session.model.read();
  arguments.simulate.apply(model.simulate, arguments.session.model.settings(), true);
  if (model.simulate.step && *model.simulate.step > model.simulate.end)
    throw UsageError(fmt::format("the step of {:g} s is longer than the motion of {:g} s: give another --step or --end",
                                 *model.simulate.step, model.simulate.end));
  const auto machine = computed([&] { return tuning_machine(model, options.of); });
  CellSession session(arguments.session, "tune", model, machine->prepared, job_of(arguments), tuning_width);
  options.cells = [&](const CellJob& job, long first) { return session.run(job, first, "pairs of gains"); };
  const Interrupt interrupt;
  const Interruption interruption([&] { return interrupt.requested(); });  // of runs beside the pairs
  const Tuning tuning = computed([&] { return tune(machine, options); });
  if (!tuning.complete) return session.stopped(tuning.runs);
  return session.writes() ? finish(tuning, arguments, model, session) : ok;
}

}  // namespace

Verb add_tune(CLI::App& app) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* verb =
      app.add_subcommand("tune", "gains of Baumgarte's method: stability region, selectable area, least error");
  verb->footer(tune_examples);
  arguments->session.model.add_to(*verb);
  verb->add_option("--alpha", arguments->alpha, "values of alpha, 1/s")->type_name("FROM:TO:COUNT");
  verb->add_option("--beta", arguments->beta, "values of beta, 1/s^2")->type_name("FROM:TO:COUNT");
  verb->add_option("--of", arguments->of,
                   "whose errors: a constraint, or a point or formula; all constraints if not given")
      ->type_name("NAME");
  verb->add_option("--weights", arguments->weights, "c and d of e = sqrt(c E1^2 + d E2^2); 0.5,0.5")->type_name("C,D");
  verb->add_option("--speed-limit", arguments->speed_limit, "a run is lost when a coordinate moves faster; 1000")
      ->type_name("V")
      ->check(positive);
  verb->add_option("--refine", arguments->refine, "this many finer grids around the best pair")
      ->type_name("N")
      ->check(CLI::Range(0, 30));
  verb->add_option("--lanes", arguments->lanes, "runs at once in a thread, 1 to 8; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, lane_count))
      ->capture_default_str();
  arguments->session.add_to(*verb);
  arguments->simulate.add_to(*verb);
  return [arguments] { return tune_model(*arguments); };
}

}  // namespace armature::internal::cli
