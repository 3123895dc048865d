#include "identify/identification_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "expression/number_text.hpp"
#include "read/text_edit.hpp"
#include "read/written_settings.hpp"
#include "record/json_text.hpp"
#include "record/table.hpp"
#include "record/version.hpp"
#include "record/write_text.hpp"

namespace armature::internal {

namespace {

using Json = nlohmann::ordered_json;

const char* status_word(IdentifyStatus status) {
  return status == IdentifyStatus::converged       ? "finished"
         : status == IdentifyStatus::not_converged ? "failed"
         : status == IdentifyStatus::stopped       ? "stopped"
                                                   : "failed";
}

const char* kind_word(Estimate::Kind kind) {
  return kind == Estimate::Kind::parameter ? "parameter" : kind == Estimate::Kind::start ? "start" : "offset";
}

Json estimate_json(const Estimate& estimate) {
  Json json = {{"name", estimate.name},
               {"kind", kind_word(estimate.kind)},
               {"unit", estimate.unit},
               {"first", estimate.first},
               {"value", estimate.value},
               {"standard_deviation", number_or_null(estimate.deviation)},
               {"interval", Json::array({number_or_null(estimate.value - estimate.half_width),
                                         number_or_null(estimate.value + estimate.half_width)})},
               {"determined", std::isfinite(estimate.half_width)}};
  if (estimate.experiment >= 0) json["record"] = estimate.experiment + 1;
  if (estimate.bound != 0) json["at_bound"] = estimate.bound < 0 ? "lower" : "upper";
  return json;
}

Json column_json(const IdentifyResult::Column& column) {
  const ResidualAnalysis& r = column.residuals;
  return {{"record", column.experiment + 1},
          {"name", column.name},
          {"unit", column.unit},
          {"count", r.count},
          {"noise", column.noise},
          {"noise_known", column.noise_is_known},
          {"rms", r.rms},
          {"mean", r.mean},
          {"largest", r.largest},
          {"neighbor_correlation", r.neighbor_correlation},
          {"white", r.is_white()},
          {"peak_frequency", r.peak_frequency},
          {"peak_share", r.peak_share}};
}

Json correlation_json(const Eigen::MatrixXd& correlation) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < correlation.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index k = 0; k < correlation.cols(); ++k) row.push_back(number_or_null(correlation(i, k)));
    rows.push_back(row);
  }
  return rows;
}

std::string titled(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

// The value in the unit that the file gives the parameter: "0.2 N*m/A", "5 mm"; a plain number where it gives none, or a formula.
std::string written_value(double value, const Parameter& parameter) {
  const std::string& text = parameter.formula.text;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  if (error != std::errc() || !unit.starts_with(' ') || number == 0 || parameter.value == 0)
    return fmt::format("{}", value);
  const double factor = parameter.value / number;
  return fmt::format("{}{}", std::abs(factor - 1) < 1e-12 ? value : value / factor, unit);
}

// t, then of each column what was measured, what is simulated, and the difference.
void write_fit(const IdentifyResult& result, std::size_t experiment, const std::filesystem::path& file) {
  // The header: time, then three columns for each measured one.
  const std::vector<double>& t = result.experiments[experiment].t;
  std::vector<std::string> header{"t [s]"};
  std::vector<const IdentifyResult::Column*> columns;
  for (const IdentifyResult::Column& column : result.columns) {
    if (column.experiment != static_cast<int>(experiment)) continue;
    columns.push_back(&column);
    for (const char* what : {"measured", "simulated", "residual"})
      header.push_back(titled(fmt::format("{} {}", column.name, what), column.unit));
  }
  Eigen::MatrixXd values(static_cast<Eigen::Index>(t.size()), static_cast<Eigen::Index>(header.size()));
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    const auto row = static_cast<std::size_t>(k);
    values(k, 0) = t[row];
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double measured = columns[c]->measured[row], simulated = columns[c]->simulated[row];
      values.row(k).segment(static_cast<Eigen::Index>(1 + 3 * c), 3) << measured, simulated, measured - simulated;
    }
  }
  write_table(file, header, values);
}

// Amplitudes of the residuals by frequency, one column below the other.
void write_spectra(const IdentifyResult& result, const std::filesystem::path& file) {
  CsvTable table({"record", "column", "frequency [Hz]", "amplitude"});
  for (const IdentifyResult::Column& column : result.columns)
    for (std::size_t k = 0; k < column.residuals.frequency.size(); ++k) {
      table.add(column.experiment + 1)
          .add(column.name)
          .add(column.residuals.frequency[k])
          .add(column.residuals.amplitude[k]);
      table.end_row();
    }
  table.write(file);
}

}  // namespace

Json to_json(const IdentifyResult& result, const Model& model, const IdentifyOptions& options) {
  // What was asked: model, records, options.
  Json json = {{"armature", version()},
               {"verb", "identify"},
               {"status", status_word(result.status)},
               {"sentence", result.sentence},
               {"model", {{"name", model.name}, {"file", model.file}}}};
  for (const auto& [name, value] : options.settings) json["settings"][name] = value;
  for (const IdentifyResult::Experiment& experiment : result.experiments)
    json["records"].push_back(
        {{"file", experiment.file}, {"rows", experiment.t.size()}, {"inputs", experiment.inputs}});
  json["robust"] = options.robust;
  // What was found, and how well it is determined.
  json["estimates"] = Json::array();
  for (const Estimate& estimate : result.estimates) json["estimates"].push_back(estimate_json(estimate));
  json["correlation"] = correlation_json(result.information.correlation);
  json["condition"] = number_or_null(result.information.condition);
  json["undetermined"] = Json::array();
  for (const UndeterminedDirection& direction : result.information.undetermined)
    json["undetermined"].push_back(
        {{"names", direction.names}, {"changes", direction.changes}, {"sentence", direction.sentence}});
  // How well it fits, and what it took.
  json["columns"] = Json::array();
  for (const IdentifyResult::Column& column : result.columns) json["columns"].push_back(column_json(column));
  json["measurements"] = result.measurements;
  json["evaluations"] = result.evaluations;
  json["seconds"] = result.seconds;
  json["notes"] = result.notes;
  json["warnings"] = result.warnings;
  return json;
}

Settings settings_of(const IdentifyResult& result, const Model& model) {
  Settings settings;
  for (const Estimate& estimate : result.estimates) {
    if (estimate.kind == Estimate::Kind::parameter)
      settings.emplace_back(estimate.name, fmt::format("{}", estimate.value));
    if (estimate.kind != Estimate::Kind::start || result.experiments.size() > 1) continue;
    const bool is_state = std::ranges::count(model.states, estimate.name, &AuxiliaryState::name) > 0;
    const bool is_speed = estimate.name.ends_with(".v") || estimate.name.ends_with("'");
    if (is_state) continue;  // its start stands with its rate
    std::string name = estimate.name;
    if (is_speed) name.resize(name.size() - (name.ends_with("'") ? 1 : 2));
    settings.emplace_back(fmt::format("start.{}.{}", is_speed ? "speed" : "keep", name),
                          fmt::format("{}", estimate.value));
  }
  return settings;
}

std::string identified_text(const IdentifyResult& result, const Model& model, const Settings& settings,
                            std::string& why) {
  Settings all = settings;
  for (const auto& [name, value] : settings_of(result, model)) {
    std::erase_if(all, [&, &name = name](const auto& old) { return old.first == name; });
    const auto parameter = std::ranges::find(model.parameters, name, &Parameter::name);
    all.emplace_back(name,
                     parameter == model.parameters.end() ? value : written_value(*read_number(value), *parameter));
  }
  try {
    return with_settings(model.text, all);
  } catch (const EditError& error) {
    why = error.what();
    return {};
  }
}

std::vector<std::string> write_files(const IdentifyResult& result, const Model& model, const IdentifyOptions& options,
                                     const std::filesystem::path& folder) {
  std::vector<std::string> files{"identify.json"};
  Json json = to_json(result, model, options);
  json["model"]["text"] = model.text;
  write_text(folder / "identify.json", json_text(json) + "\n");
  std::string why;
  if (const std::string text = identified_text(result, model, options.settings, why); !text.empty()) {
    write_text(folder / "model.yaml", text);
    files.push_back("model.yaml");
  }
  for (std::size_t k = 0; k < result.experiments.size(); ++k) {
    files.push_back(result.experiments.size() == 1 ? "fit.csv" : fmt::format("fit_{}.csv", k + 1));
    write_fit(result, k, folder / files.back());
  }
  files.push_back("spectra.csv");
  write_spectra(result, folder / files.back());
  return files;
}

}  // namespace armature::internal
