#include "record/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/file_kind.hpp"
#include "model/findings.hpp"
#include "record/json_text.hpp"
#include "record/record_error.hpp"
#include "record/write_text.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array status_names = {"below", "above", "sliding"};  // in the order of ComparisonStatus

template <class Value>
Json object(const std::vector<std::pair<std::string, Value>>& entries) {
  Json json = Json::object();
  // the names differ: each goes to the end without a search for its like
  auto& members = json.template get_ref<Json::object_t&>();
  for (const auto& [name, value] : entries) members.push_back({name, value});
  return json;
}

// JSON has no NaN and no infinity: they are written as null.
double number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

RunRecord::Numbers numbers(const Json& json) {
  RunRecord::Numbers entries;
  for (const auto& [name, value] : json.items()) {
    if (value.is_number() || value.is_null()) entries.emplace_back(name, number(value));
  }
  return entries;
}

ComparisonStatus status_from(const std::string& name) {
  for (std::size_t i = 0; i < status_names.size(); ++i) {
    if (name == status_names[i]) return ComparisonStatus(i);
  }
  throw RecordError(fmt::format("unknown outcome of a comparison '{}'", name));
}

StoredState state_from_json(const Json& json) {
  StoredState state{.t = json.at("t"),
                    .q = numbers(json.at("q")),
                    .v = numbers(json.at("v")),
                    .z = numbers(json.at("z")),
                    .d = numbers(json.at("d")),
                    .w = json.at("w"),
                    .comparisons = {}};
  const char* key = json.contains("comparisons") ? "comparisons" : "mode";  // its name in 0.1
  for (const Json& status : json.at(key)) state.comparisons.push_back(status_from(status));
  return state;
}

Json options_to_json(const RunRecord& record) {
  Json json{
      {"integrator", record.integrator}, {"formulation", record.formulation}, {"stabilization", record.stabilization}};
  for (const auto& [name, value] : record.options) json[name] = value;
  json["atol"] = {{"q", object(record.atol_q)}, {"v", object(record.atol_v)}, {"z", object(record.atol_z)}};
  return json;
}

void options_from_json(const Json& json, RunRecord& record) {
  record.integrator = json.at("integrator");
  record.formulation = json.at("formulation");
  record.stabilization = json.at("stabilization").get<std::vector<std::string>>();
  record.options = numbers(json);
  const Json& atol = json.at("atol");
  record.atol_q = numbers(atol.at("q"));
  record.atol_v = numbers(atol.at("v"));
  record.atol_z = numbers(atol.at("z"));
}

Json events_to_json(const RunRecord& record) {
  Json events = Json::array();
  for (const auto& [t, what] : record.events) events.push_back({{"t", t}, {"what", what}});
  return events;
}

Json findings_to_json(const RunRecord& record) {
  Json findings = Json::array();
  for (const auto& [code, sentence] : record.findings) {
    const auto row = std::ranges::find(finding_rows, code, &FindingRow::code);
    findings.push_back({{"code", code}});
    if (row != finding_rows.end()) findings.back()["severity"] = name_of(row->severity);
    findings.back()["sentence"] = sentence;
  }
  return findings;
}

Json peaks_to_json(const RunRecord& record) {
  Json peaks = Json::object();
  for (const auto& [name, value, t] : record.peaks) {
    peaks[name] = {{"value", value}, {"t", t}};
    if (record.errors && record.errors->missing.empty()) peaks[name]["error"] = error_of(record.errors->peaks, name);
  }
  return peaks;
}

Json errors_to_json(const ErrorEstimate& errors) {
  Json json{{"repetition", errors.how}};
  if (!errors.missing.empty()) json["missing"] = errors.missing;
  if (errors.parts_at) json["parts_at"] = *errors.parts_at;
  if (!errors.sentence.empty()) json["sentence"] = errors.sentence;
  if (!errors.last.empty()) json["last"] = object(errors.last);
  return json;
}

Json verification_to_json(const Verification& verification) {
  Json json{{"sentence", verification.sentence},        {"doubtful", verification.doubtful},
            {"promised_digits", verification.promised}, {"repeats", Json::array()},
            {"left_out", verification.left_out},        {"digits", Json::object()}};
  for (const auto& [how, status, sentence] : verification.repeats)
    json["repeats"].push_back({{"how", how}, {"status", status}, {"sentence", sentence}});
  for (const auto& [channel, agree] : verification.channels) json["digits"][channel] = agree;
  for (const auto& [name, agree] : verification.results) json["result_digits"][name] = agree;
  if (const auto& divergence = verification.divergence)
    json["divergence"] = {{"t", divergence->t}, {"rate", divergence->rate}, {"how", divergence->how}};
  return json;
}

RunRecord from_json(const Json& json) {
  if (!json.is_object()) throw RecordError("it is JSON, but not an object");
  RunRecord record;
  record.version = json.at("armature");
  record.status = json.at("status");
  record.sentence = json.at("sentence");
  record.model_name = json.at("model").at("name");
  record.model_file = json.at("model").at("file");
  record.model_text = json.at("model").at("text");
  record.model_root = json.at("model").value("root", "");
  for (const auto& [name, value] : json.at("settings").items()) record.settings.emplace_back(name, value);
  options_from_json(json.at("options"), record);
  record.notes = json.at("notes").get<std::vector<std::string>>();
  record.warnings = json.at("warnings").get<std::vector<std::string>>();
  if (json.contains("findings"))
    for (const Json& finding : json.at("findings"))
      record.findings.emplace_back(finding.at("code"), finding.at("sentence"));
  for (const Json& event : json.at("events")) record.events.emplace_back(event.at("t"), event.at("what"));
  if (json.contains("peaks"))
    for (const auto& [name, peak] : json.at("peaks").items())
      record.peaks.push_back({name, number(peak.at("value")), number(peak.at("t"))});
  record.statistics = numbers(json.at("statistics"));
  if (json.contains("numbers")) record.results = numbers(json.at("numbers"));
  if (json.contains("number_units"))
    for (const auto& [name, unit] : json.at("number_units").items()) record.result_units.emplace_back(name, unit);
  if (json.contains("start")) record.start = state_from_json(json.at("start"));
  if (json.contains("last")) record.last = state_from_json(json.at("last"));
  return record;
}

// "[json.exception.out_of_range.403] key 'armature' not found" and the like, without the library's names.
std::string fault_in_words(const std::exception& error) {
  std::string text = error.what();
  if (text.starts_with("[json.")) text.erase(0, text.find("] ") + 2);
  if (!dynamic_cast<const Json::parse_error*>(&error)) return text;
  const auto place = text.find("line "), end = text.find(':');
  return place < end ? fmt::format("it is not JSON from {} on", text.substr(place, end - place)) : "it is not JSON";
}

}  // namespace

void add(const Findings& findings, RunRecord& record) {
  for (const Finding& finding : findings) record.findings.emplace_back(row_of(finding.code).code, finding.sentence);
  for (std::string& warning : warnings_among(findings)) record.warnings.push_back(std::move(warning));
}

Json to_json(const StoredState& state) {
  Json comparisons = Json::array();
  for (ComparisonStatus status : state.comparisons) comparisons.push_back(status_names.at(std::size_t(status)));
  return {{"t", state.t},         {"q", object(state.q)}, {"v", object(state.v)},      {"z", object(state.z)},
          {"d", object(state.d)}, {"w", state.w},         {"comparisons", comparisons}};
}

Json to_json(const RunRecord& record) {
  Json json{{"armature", record.version}, {"status", record.status}, {"sentence", record.sentence}};
  json["model"] = {{"name", record.model_name}, {"file", record.model_file}, {"text", record.model_text}};
  if (!record.model_root.empty()) json["model"]["root"] = record.model_root;
  json["settings"] = Json::object();
  for (const auto& [name, value] : record.settings) json["settings"][name] = value;  // the last of a name counts
  json["options"] = options_to_json(record);
  json["notes"] = record.notes;
  json["warnings"] = record.warnings;
  if (!record.findings.empty()) json["findings"] = findings_to_json(record);
  json["events"] = events_to_json(record);
  if (!record.peaks.empty()) json["peaks"] = peaks_to_json(record);
  json["statistics"] = object(record.statistics);
  if (!record.results.empty()) json["numbers"] = object(record.results);
  for (const auto& [name, unit] : record.result_units) json["number_units"][name] = unit;
  if (record.errors && !record.errors->results.empty()) json["number_errors"] = object(record.errors->results);
  if (record.errors) json["errors"] = errors_to_json(*record.errors);
  if (record.verification) json["verify"] = verification_to_json(*record.verification);
  if (record.start) json["start"] = to_json(*record.start);
  if (record.last) json["last"] = to_json(*record.last);
  return json;
}

void write_run(const std::filesystem::path& file, const RunRecord& record) {
  write_text(file, json_text(to_json(record)) + "\n");
}

RunRecord read_run(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool is_folder = fs::is_directory(folder, ignored);
  const fs::path file = is_folder ? folder / "run.json" : folder;
  if (!fs::exists(folder, ignored)) throw RecordError(fmt::format("{}: there is no such run", folder.string()));
  if (!fs::exists(file, ignored))
    throw RecordError(fmt::format("{}: is not the results folder of a run: it has no run.json", folder.string()));
  if (const std::string why = why_no_file(file, "run"); !why.empty())
    throw RecordError(fmt::format("{}: {}", file.string(), why));
  if (file.extension() == ".yaml" || file.extension() == ".yml")
    throw RecordError(
        fmt::format("{0}: is a model, not the results folder of a run; 'armature run {0}' makes one", file.string()));
  std::ifstream in(file);
  try {
    return from_json(Json::parse(in));
  } catch (const std::exception& error) {
    throw RecordError(fmt::format("{}: is not a run: {}", file.string(), fault_in_words(error)));
  }
}

std::optional<StoredState> read_rest(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "modes.json";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored) || !std::filesystem::exists(file, ignored)) return std::nullopt;
  std::ifstream in(file);
  try {
    StoredState state = state_from_json(Json::parse(in).at("state"));
    state.w.clear(), state.comparisons.clear();
    return state;
  } catch (const std::exception& error) {
    throw RecordError(fmt::format("{}: is not a result of modes: {}", file.string(), fault_in_words(error)));
  }
}

}  // namespace armature::internal
