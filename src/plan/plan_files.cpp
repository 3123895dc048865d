#include "plan/plan_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "record/json_text.hpp"
#include "record/table.hpp"
#include "record/version.hpp"
#include "record/write_text.hpp"

namespace armature::internal {

namespace {

using Json = nlohmann::ordered_json;
using Eigen::Index;

const char* plan_status_word(PlanStatus status) {
  switch (status) {
    case PlanStatus::found: return "finished";
    case PlanStatus::inaccurate: return "inaccurate";
    case PlanStatus::infeasible: return "infeasible";
    case PlanStatus::not_converged: return "not converged";
    default: return "stopped";
  }
}

void write_inputs(const PlanResult& result, const std::filesystem::path& file) {
  const MeasuredRecord record = input_record(*result.collocation, result.motion);
  std::vector<std::string> header{"t [s]"};
  Eigen::MatrixXd values(static_cast<Index>(record.t.size()), static_cast<Index>(record.columns.size()) + 1);
  values.col(0) = Eigen::Map<const Eigen::VectorXd>(record.t.data(), values.rows());
  for (std::size_t k = 0; k < record.columns.size(); ++k) {
    const MeasuredColumn& column = record.columns[k];
    header.push_back(column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit));
    values.col(static_cast<Index>(k) + 1) = Eigen::Map<const Eigen::VectorXd>(column.values.data(), values.rows());
  }
  write_table(file, header, values);
}

// A row per node: t, the planned state, then the gains by input and state.
void write_gains(const PlanResult& result, const std::filesystem::path& file) {
  const FeedbackGains& gains = result.gains;
  std::vector<std::string> header{"t [s]"};
  for (const std::string& state : gains.states) header.push_back(state);
  for (const std::string& input : gains.inputs)
    for (const std::string& state : gains.states) header.push_back(fmt::format("K {} {}", input, state));
  Eigen::MatrixXd values(static_cast<Index>(gains.t.size()), static_cast<Index>(header.size()));
  for (Index k = 0; k < values.rows(); ++k) {
    const Eigen::MatrixXd rows = gains.K[static_cast<std::size_t>(k)].transpose();  // by columns: input after input
    values.row(k) << gains.t[static_cast<std::size_t>(k)], result.motion.node(k).transpose(),
        Eigen::Map<const Eigen::VectorXd>(rows.data(), rows.size()).transpose();
  }
  write_table(file, header, values);
}

}  // namespace

Json to_json(const PlanResult& result, const PlanOptions& options) {
  Json json = {{"armature", version()},
               {"verb", "plan"},
               {"status", plan_status_word(result.status)},
               {"sentence", result.sentence}};
  json["minimize"] = options.minimize;
  for (const auto& [formula, value] : options.to) json["to"][formula] = value;
  for (const auto& [formula, value] : options.along) json["along"][formula] = value;
  // The motion that was found, and what a run with its inputs does.
  if (result.has_motion) {
    json["duration"] = result.motion.duration;
    json["cost"] = {{"value", result.cost}, {"unit", result.machine->cost_unit}};
    json["active_limits"] = result.active;
    json["simulated"] = {{"end_error", number_or_null(result.end_error)},
                         {"target_error", number_or_null(result.target_error)},
                         {"constraint_error", result.constraint_error}};
    json["intervals"] = result.motion.intervals();
    json["starts"] = {{"tried", result.starts.tried}, {"found", result.starts.found}, {"agreed", result.starts.agreed}};
  }
  json["meshes"] = Json::array();
  for (const PlanResult::Round& round : result.rounds)
    json["meshes"].push_back({{"intervals", round.intervals},
                              {"iterations", round.iterations},
                              {"cost", round.cost},
                              {"end_error", number_or_null(round.end_error)}});
  json["seconds"] = result.seconds;
  json["notes"] = result.notes;
  json["warnings"] = result.warnings;
  return json;
}

std::vector<std::string> write_files(const PlanResult& result, const PlanOptions& options,
                                     const std::filesystem::path& folder) {
  std::vector<std::string> files{"plan.json", "inputs.csv"};
  write_text(folder / "plan.json", json_text(to_json(result, options)) + "\n");
  write_inputs(result, folder / "inputs.csv");
  if (!result.gains.t.empty()) {
    write_gains(result, folder / "gains.csv");
    files.push_back("gains.csv");
  }
  return files;
}

Json to_json(const Excitation& excitation) {
  Json json = {{"inputs", excitation.inputs}, {"motions", excitation.evaluations}};
  json["deviations"] = Json::array();
  for (std::size_t k = 0; k < excitation.then.size(); ++k)
    json["deviations"].push_back({{"name", excitation.parameters[k]},
                                  {"now", number_or_null(excitation.now[k])},
                                  {"then", number_or_null(excitation.then[k])}});
  json["notes"] = excitation.notes;
  return json;
}

void write_excitation(const Excitation& excitation, const std::filesystem::path& file) {
  std::vector<std::string> header{"t [s]"};
  for (std::size_t k = 0; k < excitation.inputs.size(); ++k)
    header.push_back(excitation.units[k].empty() ? excitation.inputs[k]
                                                 : fmt::format("{} [{}]", excitation.inputs[k], excitation.units[k]));
  Eigen::MatrixXd values(excitation.values.rows(), excitation.values.cols() + 1);
  values << Eigen::Map<const Eigen::VectorXd>(excitation.t.data(), values.rows()), excitation.values;
  write_table(file, header, values);
}

}  // namespace armature::internal
