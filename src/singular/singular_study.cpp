#include "singular/singular_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/counted.hpp"
#include "record/hdf5_file.hpp"
#include "record/json_text.hpp"
#include "record/table.hpp"
#include "record/write_text.hpp"
#include "study/memory_limit.hpp"
#include "study/study_files.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A cell is kept with its pose; both lines to its neighbors are looked at.
void require_memory_for(const WorkspaceOptions& options, const PoseMachine& machine) {
  constexpr double bytes_of_a_pose = 600;
  std::vector<long> counts;
  for (const PoseAxis& axis : options.over) counts.push_back(static_cast<long>(axis.values.size()));
  require_memory(counts, bytes_of_a_pose + 4 * sizeof(double) * workspace_width(machine), "over");
}

Json workspace_job(const WorkspaceOptions& options) {
  Json over = Json::array(), hold = Json::object();
  for (const PoseAxis& axis : options.over) over.push_back({{"name", axis.name}, {"values", axis.values}});
  for (const auto& [name, value] : options.hold) hold[name] = value;
  return {{"over", over}, {"hold", hold}, {"active", options.active}, {"moves", options.output}};
}

}  // namespace

WorkspaceMap map_workspace(const Model& model, WorkspaceOptions options, CellSession& session) {
  const auto machine = workspace_machine(model, options);
  require_memory_for(options, *machine);
  session.begin("singularities", model, machine->prepared, workspace_job(options), workspace_width(*machine));
  options.cells = [&](const CellJob& cells, long first) { return session.run(cells, first, "poses"); };
  return workspace_map(machine, options);
}

std::string reach_sentence(const WorkspaceMap& map) {
  std::string text =
      fmt::format("{} of {} reachable", map.reached, counted(static_cast<long>(map.cells.size()), "pose"));
  if (map.undecided > 0)
    text += fmt::format("; {} undecided, because branches meet on the way to {}", map.undecided,
                        map.undecided == 1 ? "it" : "them");
  return text;
}

// Files of both studies

namespace {

const std::vector<std::string> measure_names{"rank", "sigma", "sigma_I", "sigma_II", "det_I", "det_II"};

Json measures_json(const PoseMeasures& m) {
  return {{"rank", m.rank},
          {"sigma", m.sigma},
          {"sigma_I", m.sigma_I},
          {"sigma_II", m.sigma_II},
          {"det_I", number_or_null(m.det_I)},
          {"det_II", number_or_null(m.det_II)}};
}

void fill_row(Eigen::MatrixXd& table, Eigen::Index row, Eigen::Index column, const PoseMeasures& m) {
  table.row(row).segment(column, 6) << m.rank, m.sigma, m.sigma_I, m.sigma_II, m.det_I, m.det_II;
}

// over poses

std::vector<std::string> axis_names(const WorkspaceMap& map) {
  std::vector<std::string> names;
  for (const PoseAxis& axis : map.over) names.push_back(axis.name);
  return names;
}

std::vector<std::string> map_columns(const WorkspaceMap& map) {
  std::vector<std::string> columns = axis_names(map);
  columns.push_back("reached");
  columns.insert(columns.end(), measure_names.begin(), measure_names.end());
  return columns;
}

Eigen::MatrixXd map_table(const WorkspaceMap& map) {
  const auto axes = static_cast<Eigen::Index>(map.over.size());
  const auto n = static_cast<Eigen::Index>(map.over[0].values.size());
  Eigen::MatrixXd table(static_cast<Eigen::Index>(map.cells.size()), axes + 7);
  for (Eigen::Index k = 0; k < table.rows(); ++k) {
    table(k, 0) = map.over[0].values[static_cast<std::size_t>(k % n)];
    if (axes > 1) table(k, 1) = map.over[1].values[static_cast<std::size_t>(k / n)];
    const WorkspaceCell& cell = map.cells[static_cast<std::size_t>(k)];
    table(k, axes) = cell.undecided && !cell.reached ? std::nan("") : cell.reached;
    table.row(k).tail(6).setConstant(std::nan(""));
    if (cell.reached) fill_row(table, k, axes + 1, cell.measures);
  }
  return table;
}

Eigen::MatrixXd curve_table(const WorkspaceMap& map) {
  Eigen::MatrixXd curve(static_cast<Eigen::Index>(map.curve.size()), static_cast<Eigen::Index>(map.over.size()));
  for (Eigen::Index k = 0; k < curve.rows(); ++k)
    for (Eigen::Index i = 0; i < curve.cols(); ++i)
      curve(k, i) = map.curve[static_cast<std::size_t>(k)].at[static_cast<std::size_t>(i)];
  return curve;
}

void write_workspace_hdf5(const WorkspaceMap& map, const Json& description, const fs::path& path) {
  Hdf5File file(path);
  write_description(file, description);
  file.write("columns", fmt::format("{}", fmt::join(map_columns(map), ", ")));
  write_matrix(file, "map", map_table(map));
  write_matrix(file, "curves", curve_table(map));
  std::vector<double> kinds;
  for (const CurvePoint& point : map.curve) kinds.push_back(static_cast<double>(point.kind));
  file.write("curve_kinds", kinds);
  file.write("kinds", "0 type I, 1 type II, 2 rank drop, 3 reach");
  file.close();
}

}  // namespace

Json to_json(const WorkspaceMap& map) {
  Json axes = Json::array(), curve = Json::array();
  for (const PoseAxis& axis : map.over) axes.push_back({{"name", axis.name}, {"values", axis.values}});
  for (const CurvePoint& point : map.curve)
    curve.push_back({{"at", point.at}, {"kind", to_string(point.kind)}, {"words", point.words}});
  Json json = {{"status", "finished"},       {"sentence", reach_sentence(map)},
               {"active", map.frame.active}, {"output", map.frame.output},
               {"notes", map.frame.notes},   {"axes", axes},
               {"reached", map.reached},     {"undecided", map.undecided},
               {"cells", map.cells.size()},  {"rows", "the first axis runs inside"}};
  const auto array = [&](const char* name, auto value) {
    Json list = Json::array();
    for (const WorkspaceCell& cell : map.cells)
      list.push_back(cell.reached ? number_or_null(value(cell.measures)) : Json(nullptr));
    json[name] = std::move(list);
  };
  array("rank", [](const PoseMeasures& m) { return double(m.rank); });
  array("sigma", [](const PoseMeasures& m) { return m.sigma; });
  array("sigma_I", [](const PoseMeasures& m) { return m.sigma_I; });
  array("sigma_II", [](const PoseMeasures& m) { return m.sigma_II; });
  array("det_I", [](const PoseMeasures& m) { return m.det_I; });
  array("det_II", [](const PoseMeasures& m) { return m.det_II; });
  json["curves"] = curve;
  return json;
}

void write_files(const WorkspaceMap& map, const Json& description, const fs::path& folder) {
  write_table(folder / "map.csv", map_columns(map), map_table(map));
  std::vector<std::string> kinds;
  for (const CurvePoint& point : map.curve) kinds.push_back(to_string(point.kind));
  write_table(folder / "curves.csv", axis_names(map), curve_table(map), kinds);
  write_workspace_hdf5(map, description, folder / "results.h5");
}

// along a motion

Json to_json(const SingularMotion& motion, const std::string& model_name) {
  Json events = Json::array();
  for (const SingularEvent& event : motion.events)
    events.push_back({{"t", event.t},
                      {"until", event.until},
                      {"kind", to_string(event.kind)},
                      {"sign", event.sign > 0   ? "rising"
                               : event.sign < 0 ? "falling"
                                                : "touching"},
                      {"words", event.words},
                      {"coordinates", event.coordinates},
                      {"loops", event.loops},
                      {"measures", measures_json(event.measures)}});
  return {{"status", motion.outcome.status == RunStatus::finished ? "finished" : "failed"},
          {"sentence", motion.outcome.sentence},
          {"model", model_name},
          {"active", motion.frame.active},
          {"output", motion.frame.output},
          {"notes", motion.frame.notes},
          {"warnings", motion.outcome.warnings()},
          {"smallest", measures_json(motion.smallest)},
          {"t_of_smallest_sigma", motion.t_sigma},
          {"events", events}};
}

void write_files(const SingularMotion& motion, const Model& model, const fs::path& folder) {
  Eigen::MatrixXd table(static_cast<Eigen::Index>(motion.t.size()), 7);
  for (Eigen::Index k = 0; k < table.rows(); ++k) {
    table(k, 0) = motion.t[static_cast<std::size_t>(k)];
    fill_row(table, k, 1, motion.measures[static_cast<std::size_t>(k)]);
  }
  std::vector<std::string> names{"t [s]"};
  names.insert(names.end(), measure_names.begin(), measure_names.end());
  write_table(folder / "motion.csv", names, table);
  const Json json = to_json(motion, model.name);
  write_text(folder / "singularities.json", json_text(json, 1) + "\n");
  Hdf5File file(folder / "results.h5");
  file.write("description", json_text(json));
  file.write("model", model.text);
  file.write("columns", fmt::format("{}", fmt::join(names, ", ")));
  write_matrix(file, "motion", table);
  file.close();
}

}  // namespace armature::internal
