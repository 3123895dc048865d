#include "study/study_files.hpp"

#include <fmt/format.h>

#include <future>
#include <nlohmann/json.hpp>

#include "record/json_text.hpp"
#include "record/table.hpp"
#include "study/motion_warnings.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json point_json(const StudyPoint& point) {
  Json json = Json::object();
  for (const auto& [name, value] : point) json[name] = value;
  return json;
}

// [{"count": 2, "at": {"w0": 0}, "sentence": …}], warnings with their "code" first
Json diagnostics_json(const MotionDiagnostics& diagnostics) {
  Json list = Json::array();
  for (const MotionDiagnostic& kind : diagnostics.kinds) {
    Json entry = Json::object();
    if (!kind.code.empty()) entry["code"] = kind.code;
    entry["count"] = kind.count;
    entry["at"] = point_json(kind.at);
    entry["sentence"] = kind.sentence;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::vector<std::string> marked_columns(std::vector<std::string> columns, const Json& description) {
  if (description.value("gpu", "") == "preview")
    for (std::string& column : columns) column += " (preview)";
  return columns;
}

void write_description(Hdf5File& file, const Json& description) {
  file.write("description", json_text(description));
  file.write("model", description["model"]["text"].get<std::string>());
}

// map

namespace {

Json counts_json(const MapResult& map) {
  Json json = Json::object();
  for (std::size_t k = 0; k < map.classes.size(); ++k) json[map.classes[k]] = map.counts[k];
  if (map.failed > 0) json["failed"] = map.failed;
  return json;
}

std::vector<std::string> header_of(const std::vector<Axis>& axes, const std::vector<std::string>& more) {
  std::vector<std::string> header = names_of(axes);
  header.insert(header.end(), more.begin(), more.end());
  return header;
}

void write_nodes(const MapResult& map, const Json& description, const fs::path& file) {
  std::vector<std::string> header = header_of(map.over, {"level"});
  for (const std::string& column : marked_columns({"number", "t [s]", "class"}, description)) header.push_back(column);
  header.emplace_back("warnings");
  CsvTable table(header);
  table.add_rows(map.points.count(), [&](CsvTable& part, long k) {
    const auto node = static_cast<std::size_t>(k);
    for (int d = 0; d < map.points.dimensions; ++d) part.add(map.points[k][d]);
    part.add(map.level[node]).add(map.motion_class[node]).add(map.decided[node]);
    part.add(map.class_name(k)).add(warning_words(map.warning_bits[node])).end_row();
  });
  table.write(file);
}

// Where two neighbors differ: the place halfway, and how far both are from it.
void write_borders(const MapResult& map, const Json& description, const fs::path& file) {
  CsvTable table(header_of(map.over, marked_columns({"along", "within", "below", "above"}, description)));
  for (const auto& [a, b, axis, gap] : map.borders) {
    for (int d = 0; d < map.points.dimensions; ++d) table.add(0.5 * (map.points[a][d] + map.points[b][d]));
    table.add(map.over[static_cast<std::size_t>(axis)].name).add(0.5 * gap);
    table.add(map.class_name(a)).add(map.class_name(b)).end_row();
  }
  table.write(file);
}

}  // namespace

Json to_json(const MapResult& map, const std::string& command) {
  return {{"status", map.failures.all() ? "failed" : "finished"},
          {"sentence", map.sentence},
          {"classes", map.classes},
          {"counts", counts_json(map)},
          {"cells", map.points.count()},
          {"failed", map.failures.count},
          {"command", command},
          {"failures", diagnostics_json(map.failures)},
          {"warned", map.warnings.count},
          {"warnings", diagnostics_json(map.warnings)}};
}

void write_files(const MapResult& map, const Json& description, const fs::path& folder) {
  auto tables = std::async(std::launch::async, [&] {
    write_nodes(map, description, folder / "cells.csv");
    write_borders(map, description, folder / "borders.csv");
  });
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  file.write("points", map.points.values, map.points.dimensions);
  file.write("class", std::vector<double>(map.motion_class.begin(), map.motion_class.end()));
  file.write("t", map.decided);
  file.write("level", std::vector<double>(map.level.begin(), map.level.end()));
  file.write("warnings", map.warning_bits);
  file.close();
  tables.get();
}

// sweep

namespace {

const char* status_word(MotionStatus status) {
  return status == MotionStatus::finished ? "finished" : status == MotionStatus::no_start ? "no start" : "failed";
}

Json statistics_json(const SweepResult& sweep, const SweepResult::Statistics& statistics) {
  const Distribution& d = statistics.distribution;
  Json effects = Json::object();
  for (std::size_t k = 0; k < sweep.variables.size(); ++k) effects[sweep.variables[k]] = statistics.main_effects[k];
  return {{"count", d.count}, {"left_out", sweep.points.count() - d.count},
          {"mean", d.mean},   {"deviation", d.deviation},
          {"least", d.least}, {"q05", d.q05},
          {"q25", d.q25},     {"median", d.median},
          {"q75", d.q75},     {"q95", d.q95},
          {"most", d.most},   {"main_effects", effects}};
}

void write_points(const SweepResult& sweep, const Json& description, const fs::path& file) {
  std::vector<std::string> header = sweep.variables;
  for (const std::string& column : marked_columns(sweep.results, description)) header.push_back(column);
  header.insert(header.end(), {"status", "warnings"});
  CsvTable table(header);
  table.add_rows(sweep.points.count(), [&](CsvTable& part, long k) {
    const auto point = static_cast<std::size_t>(k);
    for (int d = 0; d < sweep.points.dimensions; ++d) part.add(sweep.points[k][d]);
    for (const std::vector<double>& values : sweep.values) part.add(values[point]);
    part.add(std::string(status_word(sweep.status[point])));
    part.add(warning_words(sweep.warning_bits[point])).end_row();
  });
  table.write(file);
}

}  // namespace

Json to_json(const SweepResult& sweep, const std::string& command) {
  Json statistics = Json::object();
  for (std::size_t k = 0; k < sweep.results.size(); ++k)
    statistics[sweep.results[k]] = statistics_json(sweep, sweep.statistics[k]);
  return {{"status", sweep.failures.all() ? "failed" : "finished"},
          {"sentence", sweep.sentence},
          {"failed", sweep.failures.count},
          {"failures", diagnostics_json(sweep.failures)},
          {"command", command},
          {"warned", sweep.warnings.count},
          {"warnings", diagnostics_json(sweep.warnings)},
          {"main_effects_by", sweep.grid ? "grid" : "bins"},
          {"statistics", statistics}};
}

void write_files(const SweepResult& sweep, const Json& description, const fs::path& folder) {
  write_points(sweep, description, folder / "cells.csv");
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  file.write("points", sweep.points.values, sweep.points.dimensions);
  std::vector<double> results;  // and the status
  for (std::size_t k = 0; k < sweep.status.size(); ++k) {
    for (const std::vector<double>& values : sweep.values) results.push_back(values[k]);
    results.push_back(static_cast<double>(sweep.status[k]));
  }
  file.write("results", results, static_cast<int>(sweep.results.size()) + 1);
  file.write("warnings", sweep.warning_bits);
  file.close();
}

// optimize

namespace {

void write_evaluations(const OptimizationResult& result, const fs::path& file) {
  std::vector<std::string> header{"search", "evaluation"};
  for (const Axis& axis : result.over) header.push_back(axis.name);
  header.push_back(result.objective);
  if (!result.against.empty()) header.push_back(result.against);
  for (const std::string& text : result.subject) header.push_back("excess of " + text);
  header.emplace_back("warnings");
  CsvTable table(header);
  for (std::size_t s = 0; s < result.searches.size(); ++s)
    for (std::size_t k = 0; k < result.searches[s].evaluations.size(); ++k) {
      const Evaluation& e = result.searches[s].evaluations[k];
      table.add(static_cast<double>(s + 1)).add(static_cast<double>(k + 1));
      for (double x : e.point) table.add(x);
      table.add(result.shown(e.objective));
      if (!result.against.empty()) table.add(e.other);
      for (double g : e.inequalities) table.add(g);
      table.add(warning_words(e.warnings)).end_row();
    }
  table.write(file);
}

void write_front(const OptimizationResult& result, const fs::path& file) {
  std::vector<std::string> header{result.against, result.objective};
  for (const Axis& axis : result.over) header.push_back(axis.name);
  CsvTable table(header);
  for (const OptimizationResult::FrontPoint& place : result.front) {
    const Evaluation& e = result.at(place);
    table.add(e.other).add(result.shown(e.objective));
    for (double x : e.point) table.add(x);
    table.end_row();
  }
  table.write(file);
}

// As the file of a model takes it: tables: {NAME: {file: NAME.csv}}.
void write_table(const OptimizationResult::BestTable& best, const fs::path& file) {
  CsvTable table({"x", best.name});
  for (std::size_t k = 0; k < best.x.size(); ++k) table.add(best.x[k]).add(best.y[k]).end_row();
  table.write(file);
}

void write_search(const OptimizationResult& result, std::size_t s, Hdf5File& file) {
  std::vector<double> points, objectives, warnings;
  for (const Evaluation& e : result.searches[s].evaluations) {
    points.insert(points.end(), e.point.begin(), e.point.end());
    objectives.push_back(result.shown(e.objective));
    warnings.push_back(e.warnings);
  }
  const bool empty = result.searches[s].evaluations.empty();
  file.write(fmt::format("search{}.points", s + 1), points, empty ? 1 : static_cast<int>(result.over.size()));
  file.write(fmt::format("search{}.objective", s + 1), objectives);
  file.write(fmt::format("search{}.warnings", s + 1), warnings);
}

}  // namespace

Json to_json(const OptimizationResult& result, const std::string& set, const std::string& command) {
  const Evaluation* best = result.best();
  Json json{{"status", !best                    ? "failed"
                       : result.mostly_failed() ? "doubtful"
                                                : "finished"},
            {"method", result.method},
            {"evaluations", result.evaluations},
            {"failed", result.failures.count}};
  for (const OptimizationResult::FrontPoint& place : result.front) {
    const Evaluation& e = result.at(place);
    Json design{{result.objective, result.shown(e.objective)}, {result.against, e.other}};
    for (std::size_t d = 0; d < result.over.size(); ++d) design[result.over[d].name] = e.point[d];
    json["front"].push_back(design);
  }
  if (result.cases > 1) json["cases"] = result.cases;
  if (!result.note.empty()) json["note"] = result.note;
  if (result.backwards) json["derivatives"] = "adjoint";
  json["sentence"] = result.sentence;
  if (best) {
    json["value"] = result.shown(best->objective);
    json["search"] = result.best_search + 1;
    for (std::size_t d = 0; d < result.over.size(); ++d) json["best"][result.over[d].name] = best->point[d];
    for (std::size_t k = 0; k < result.subject.size(); ++k) json["excess"][result.subject[k]] = best->inequalities[k];
    json["at_ends"] = Json::object();
    const std::vector<int> ends = result.best_at_ends();
    for (std::size_t d = 0; d < ends.size(); ++d)
      if (ends[d] != 0) json["at_ends"][result.over[d].name] = ends[d] < 0 ? "lower" : "upper";
    if (!result.chosen.empty()) json["chosen"] = result.chosen;
    json["set"] = set;
    json["command"] = command;
  }
  json["failures"] = diagnostics_json(result.failures);
  json["warned"] = result.warnings.count;
  json["warnings"] = diagnostics_json(result.warnings);
  if (best && best->warnings != 0) json["best_warnings"] = result.best_warnings;
  if (!result.caveat.empty()) json["caveat"] = result.caveat;
  return json;
}

void write_files(const OptimizationResult& result, const Json& description, const fs::path& folder) {
  write_evaluations(result, folder / "cells.csv");
  if (!result.against.empty()) write_front(result, folder / "front.csv");
  for (const OptimizationResult::BestTable& best : result.tables) write_table(best, folder / (best.name + ".csv"));
  Hdf5File file(folder / "results.h5");
  write_description(file, description);
  for (std::size_t s = 0; s < result.searches.size(); ++s) write_search(result, s, file);
  file.close();
}

}  // namespace armature::internal
