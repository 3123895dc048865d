// armature tune FILE: the gains of Baumgarte's method for an integrator and a step.

#include "analysis/tuning.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "interrupt.hpp"
#include "lists.hpp"
#include "model_arguments.hpp"
#include "progress_bar.hpp"
#include "record/results_folder.hpp"
#include "record/table.hpp"
#include "report_page.hpp"
#include "simulate_arguments.hpp"
#include "tuning_picture.hpp"
#include "verbs.hpp"

namespace armature::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* examples =
    "Examples:\n"
    "  armature tune arm_on_circle.yaml --integrator euler --step 0.1 --alpha 0.5:20:40 --beta 0.5:20:40\n"
    "  armature tune rrr.yaml --integrator rk4 --step 1e-3 --end 1 --of platform.C --refine 2\n"
    "\nE1 and E2 are (1/T) sqrt of the integral of the squared error of position and velocity, e = sqrt(c E1^2 + d "
    "E2^2).\n"
    "Without --alpha and --beta the grid covers the region of stability of the integrator.";

struct TuneArguments {
  ModelArguments model;
  SimulateArguments simulate;
  std::string alpha, beta, weights = "0.5,0.5", of, output;
  double speed_limit = 1e3;
  int refine = 0, threads = 0, lanes = lane_count;
  bool no_report = false;
};

double weight(const std::string& text, const std::string& all) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(value >= 0)) throw UsageError(fmt::format("--weights {}: '{}' is not a weight", all, text));
  return value;
}

TuningOptions options_of(const TuneArguments& arguments) {
  TuningOptions options;
  if (!arguments.alpha.empty()) options.alpha = range(arguments.alpha, "--alpha");
  if (!arguments.beta.empty()) options.beta = range(arguments.beta, "--beta");
  const auto weights = split_list(arguments.weights);
  if (weights.size() != 2) throw UsageError(fmt::format("--weights {}: expected C,D", arguments.weights));
  options.c = weight(weights[0], arguments.weights), options.d = weight(weights[1], arguments.weights);
  options.of = arguments.of, options.speed_limit = arguments.speed_limit;
  options.refine = arguments.refine, options.threads = arguments.threads, options.lanes = arguments.lanes;
  return options;
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json cell_json(const TuningCell& cell) {
  return {{"alpha", cell.alpha},   {"beta", cell.beta},     {"stable", cell.stable}, {"lost_at", number(cell.lost)},
          {"E1", number(cell.E1)}, {"E2", number(cell.E2)}, {"e", number(cell.e)}};
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
  map("E1", [](const TuningCell& cell) { return number(cell.E1); });
  map("E2", [](const TuningCell& cell) { return number(cell.E2); });
  map("e", [](const TuningCell& cell) { return number(cell.e); });
  map("stable", [](const TuningCell& cell) { return Json(cell.stable); });
  map("lost_at", [](const TuningCell& cell) { return number(cell.lost); });
  return json;
}

Json to_json(const Tuning& tuning, const std::string& model) {
  Json grids = Json::array();
  for (const TuningGrid& grid : tuning.grids) grids.push_back(grid_json(grid));
  Json json = {{"status", tuning.complete ? "finished" : "stopped"},
               {"sentence", recommendation(tuning)},
               {"model", model},
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
  fmt::print("{} pairs of gains in {:.3g} s: {} stable by the region, {} selectable by simulation, {} both\n",
             grid.cells.size(), tuning.seconds, stable, grid.selectable(), both);
  fmt::print("{:<20} {:>10} {:>10} {:>14} {:>14} {:>14}\n", "", "alpha", "beta", "E1", "E2", "e");
  print_row("least E1", grid.least(&TuningCell::E1));
  print_row("least E2", grid.least(&TuningCell::E2));
  print_row("least e", grid.least(&TuningCell::e));
  if (tuning.grids.size() > 1) print_row("refined", &tuning.best);
  print_row("no stabilization", &tuning.none);
  print_row("projection", &tuning.projection);
  fmt::print("{}\n", recommendation(tuning));
}

// Whether report.html was written, too.
bool write_results(const Tuning& tuning, const Model& model, const TuneArguments& arguments) {
  ResultsFolder folder(arguments.output);
  for (std::size_t g = 0; g < tuning.grids.size(); ++g) {
    const auto& cells = tuning.grids[g].cells;
    Eigen::MatrixXd table(static_cast<Eigen::Index>(cells.size()), 7);
    for (Eigen::Index k = 0; k < table.rows(); ++k) {
      const TuningCell& cell = cells[static_cast<std::size_t>(k)];
      table.row(k) << cell.alpha, cell.beta, cell.stable, cell.lost, cell.E1, cell.E2, cell.e;
    }
    write_table(folder.partial() / (g == 0 ? "tune.csv" : fmt::format("tune_refined_{}.csv", g)),
                {"alpha [1/s]", "beta [1/s^2]", "stable", "lost [s]", "E1", "E2", "e"}, table);
  }
  if (tuning.region) {
    Eigen::MatrixXd boundary(static_cast<Eigen::Index>(tuning.region->boundary.size()), 2);
    for (Eigen::Index k = 0; k < boundary.rows(); ++k)
      boundary.row(k) = tuning.region->boundary[static_cast<std::size_t>(k)].transpose();
    write_table(folder.partial() / "stability_region.csv", {"alpha step", "beta step^2"}, boundary);
  }
  std::ofstream(folder.partial() / "tune.json") << to_json(tuning, model.name).dump(1) << "\n";
  const bool report = !arguments.no_report && write_report(folder.partial(), Page::study, arguments.model.json,
                                                           [&] { return to_json(tuning_picture(tuning), model); });
  folder.publish();
  return report;
}

int tune_model(const TuneArguments& arguments) {
  TuningOptions options = options_of(arguments);
  Model model = arguments.model.read();
  arguments.simulate.apply(model.simulate);
  Interrupt interrupt;
  ProgressBar bar(0, 1);
  options.progress = [&](long done, long count) {
    bar.show([&](double elapsed) { return cells_line("pairs of gains", 0, done, count, elapsed); });
    return !interrupt.requested();
  };
  Tuning tuning;
  try {
    tuning = tune(model, options);
  } catch (const ModelError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ComputationError(error.what());
  }
  const bool report = !arguments.output.empty() && write_results(tuning, model, arguments);
  if (arguments.model.json)
    fmt::print("{}\n", to_json(tuning, model.name).dump(2));
  else
    print_text(tuning);
  if (!arguments.output.empty() && !arguments.model.json)
    fmt::print("results: {}/tune.json, tune.csv, stability_region.csv{}\n", arguments.output,
               report ? "; report.html shows them" : "");
  return tuning.complete ? ok : failed;
}

}  // namespace

Verb add_tune(CLI::App& app) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* verb =
      app.add_subcommand("tune", "gains of Baumgarte's method: stability region, selectable area, least error");
  verb->footer(examples);
  arguments->model.add_to(*verb);
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
  verb->add_option("--threads", arguments->threads, "threads; one a core if not given")->type_name("N");
  verb->add_option("--lanes", arguments->lanes, "runs at once in a thread, 1 to 8; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, lane_count))
      ->capture_default_str();
  verb->add_option("-o,--output", arguments->output,
                   "folder for tune.json, tune.csv, stability_region.csv, report.html")
      ->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "write no report.html");
  arguments->simulate.add_to(*verb);
  return [arguments] { return tune_model(*arguments); };
}

}  // namespace armature::cli
