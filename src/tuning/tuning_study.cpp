#include "tuning/tuning_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <future>
#include <nlohmann/json.hpp>

#include "expression/interruption.hpp"
#include "integrate/integrator.hpp"
#include "model/findings.hpp"
#include "model/request_error.hpp"
#include "record/hdf5_file.hpp"
#include "record/json_text.hpp"
#include "record/recorder.hpp"
#include "record/table.hpp"
#include "run/simulate.hpp"
#include "study/memory_limit.hpp"
#include "study/study_files.hpp"
#include "tuning/tuning_run.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json tuning_job(const TuningOptions& options) {
  Json job = {{"alpha", options.alpha},   {"beta", options.beta},
              {"of", options.of},         {"weights", {options.c, options.d}},
              {"refine", options.refine}, {"speed_limit", options.speed_limit}};
  if (const std::string name = name_of(options.cards.arithmetic); !name.empty()) job["gpu"] = name;
  return job;
}

// What a single run with the best gains finds wrong with its motion. Pairs without error control have no such run.
Findings findings_of_best(const Tuning& tuning, Model model) {
  if (!tuning.found || !takes_fixed_steps(tuning.integrator)) return {};
  model.simulate.projection = false, model.simulate.post_adjust.reset();
  model.simulate.alpha = tuning.best.alpha, model.simulate.beta = tuning.best.beta;
  Prepared prepared = compile(model);
  assemble_start(prepared);
  if (!prepared.failure.empty()) return {};
  MemoryRecorder rows;
  return simulate(prepared, rows, [](double, long) { return !interrupted(); }).findings;
}

}  // namespace

TuningResult tune_gains(const Model& model, TuningOptions options, CellSession& session) {
  constexpr double bytes_of_a_pair = 400;
  require_memory({static_cast<long>(options.alpha.size()), static_cast<long>(options.beta.size())}, bytes_of_a_pair,
                 "alpha, beta");
  if (model.simulate.step && *model.simulate.step > model.simulate.end)
    throw RequestError(
        fmt::format("the step of {:g} s is longer than the motion of {:g} s: choose another step or end time",
                    *model.simulate.step, model.simulate.end));
  const auto machine = tuning_machine(model, options.of);
  session.begin("tune", model, machine->prepared, tuning_job(options), tuning_width);
  options.cells = [&](const CellJob& job, long first) { return session.run(job, first, "pairs of gains"); };
  TuningResult result{tune(machine, options), {}};
  if (result.tuning.complete) result.findings = findings_of_best(result.tuning, model);
  return result;
}

// Files

namespace {

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
  Json json = {{"alpha", grid.alpha}, {"beta", grid.beta}, {"rows", "one per beta, alpha runs inside"}};
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

std::vector<std::string> columns_of(const Json& description) {
  std::vector<std::string> columns{"alpha [1/s]", "beta [1/s^2]", "stable"};
  for (const std::string& column : marked_columns({"lost [s]", "E1", "E2", "e"}, description))
    columns.push_back(column);
  return columns;
}

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

}  // namespace

Json to_json(const TuningResult& result) {
  const Tuning& tuning = result.tuning;
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
  json["grids"] = Json::array();
  for (const TuningGrid& grid : tuning.grids) json["grids"].push_back(grid_json(grid));
  json["best_findings"] = Json::array();
  for (const Finding& finding : result.findings)
    json["best_findings"].push_back({{"code", row_of(finding.code).code}, {"sentence", finding.sentence}});
  return json;
}

// The grids are tables of results.h5 already.
void write_files(const Tuning& tuning, const Json& description, const fs::path& folder) {
  Json without_grids = Json::object();
  for (const auto& [key, value] : description.items())
    if (key != "grids") without_grids[key] = value;
  const std::vector<std::string> columns = columns_of(description);
  auto tables = std::async(std::launch::async, [&] {
    for (std::size_t g = 0; g < tuning.grids.size(); ++g)
      write_table(folder / (g == 0 ? "tune.csv" : fmt::format("tune_refined_{}.csv", g)), columns,
                  table_of(tuning.grids[g]));
  });
  if (tuning.region)
    write_table(folder / "stability_region.csv", {"alpha step", "beta step^2"}, boundary_of(*tuning.region));
  Hdf5File file(folder / "results.h5");
  write_description(file, without_grids);
  file.write("columns", fmt::format("{}", fmt::join(columns, ", ")));
  for (std::size_t g = 0; g < tuning.grids.size(); ++g)
    write_matrix(file, fmt::format("grid{}", g + 1), table_of(tuning.grids[g]));
  if (tuning.region) write_matrix(file, "stability_region", boundary_of(*tuning.region));
  file.close();
  tables.get();
}

}  // namespace armature::internal
