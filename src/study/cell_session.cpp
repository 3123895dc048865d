#include "study/cell_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <thread>

#include "model/request_error.hpp"
#include "record/json_text.hpp"
#include "record/version.hpp"
#include "record/write_text.hpp"
#include "run/describe.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto team_poll = std::chrono::milliseconds(10);
constexpr auto team_patience =
    std::chrono::seconds(10);  // for processes of the team that have not begun when all is done

Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, formula] : settings) json[name] = formula;
  return json;
}

// Options in force, but for those that only shape rows.
Json options_json(const Model& model, const Prepared& prepared) {
  Outcome nothing;
  nothing.last = prepared.start;
  Json options = to_json(describe(model, {}, prepared, nothing))["options"];
  options.erase("record");
  return options;
}

// The text of the model stands for it, wherever its file lies.
std::string job_text(Json description) {
  description["model"] = description["model"]["text"];
  return json_text(description) + "\n";
}

// What the tables of a model hold now; their files may change while its text does not.
Json tables_json(const Model& model) {
  Json json = Json::object();
  for (const auto& [name, table] : model.tables) {
    std::vector<double> numbers = table->knots;
    for (const auto& piece : table->coefficients) numbers.insert(numbers.end(), piece.begin(), piece.end());
    json[name] = fmt::format("{:016x}", fingerprint(numbers.data(), numbers.size() * sizeof(double)));
  }
  return json;
}

ResultKind result_kind_of(const std::string& verb) {
  return verb == "tune" ? ResultKind::tuning : verb == "singularities" ? ResultKind::singularities : ResultKind::study;
}

}  // namespace

CellSession::CellSession(SessionOptions options) : options_(std::move(options)) {
  if (!options_.folder.empty()) team_ = team_from_environment();
}

void CellSession::begin(const std::string& verb, const Model& model, const Prepared& prepared, const Json& job,
                        int width) {
  description_ = {{"armature", version()},
                  {"verb", verb},
                  {"model", {{"name", model.name}, {"file", model.file}, {"text", model.text}}},
                  {"tables", tables_json(model)},
                  {"settings", settings_json(options_.settings)},
                  {"options", options_json(model, prepared)}};
  description_.update(job);
  if (!options_.request.empty()) description_.update(options_.request);
  if (options_.folder.empty()) return;
  open(verb);
  store_ = std::make_unique<CellStore>(folder_->partial(), job_text(description_), width, team_);
}

void CellSession::open(const std::string& verb) {
  const fs::path& folder = options_.folder;
  if (team_.rank > 0) {
    folder_ = std::make_unique<ResultsFolder>(folder, result_kind_of(verb), Abandoned::join);
    return;
  }
  fs::path partial = folder;
  partial += ".partial";
  if (is_being_written(partial))
    throw RequestError(fmt::format("{}: another command is writing its cells here", partial.string()));
  if (has_cells(partial) && !options_.resume && !options_.restart)
    throw RequestError(
        fmt::format("{}: an interrupted command has left finished cells here; --resume continues with "
                    "them, --restart discards them",
                    partial.string()));
  folder_ = std::make_unique<ResultsFolder>(folder, result_kind_of(verb),
                                            options_.resume ? Abandoned::keep : Abandoned::drop);
}

// A stop holds for the jobs that follow, too: one job may be over before anybody asks.
CellTable CellSession::run(const CellJob& job, long first, const std::string& what) {
  if (stopped_) return CellTable(job.count, job.width);
  CellOptions options{.threads = options_.threads, .store = store_.get(), .first = first};
  if (options_.progress)
    options.progress = [&](long done, long count) {
      stopped_ = stopped_ || !options_.progress(what, done, count);
      return !stopped_;
    };
  CellTable table = run_cells(job, options);
  computed_ += table.count() - table.missing();
  return table;
}

double CellSession::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

bool CellSession::writes() {
  if (team_.alone()) return true;
  const auto began = std::chrono::steady_clock::now();
  for (; !store_->gone(); std::this_thread::sleep_for(team_poll)) {
    bool lower = false;
    for (int rank = 0; rank < team_.rank; ++rank) lower = lower || store_->alive(rank);
    if (!lower && (store_->all_arrived() || std::chrono::steady_clock::now() - began > team_patience)) return true;
  }
  return false;
}

// Results of a million cells are long: both kinds of files are written at once.
Json CellSession::publish(Json result, const Write& write, const std::string& name) {
  Json description = description_;
  for (auto& [key, value] : result.items()) description[key] = std::move(value);
  auto text =
      std::async(std::launch::async, [&] { write_text(folder_->partial() / name, json_text(description) + "\n"); });
  write(folder_->partial(), description);
  text.get();
  store_->remove_traces();
  folder_->publish();
  description["model"].erase("text");
  description["results"] = path().string();
  return description;
}

void CellSession::drop() {
  if (store_) store_->remove_traces();
  folder_.reset();
}

Json axes_json(const std::vector<Axis>& axes) {
  Json json = Json::array();
  for (const Axis& axis : axes) {
    json.push_back({{"name", axis.name}, {"from", axis.from}, {"to", axis.to}});
    if (axis.count > 0) json.back()["count"] = axis.count;
    if (axis.law.kind == Law::Kind::uniform) continue;
    json.back()["law"] = name_of(axis.law.kind);
    json.back()["center"] = axis.law.center;
    if (axis.law.kind != Law::Kind::triangular) json.back()["spread"] = axis.law.spread;
  }
  return json;
}

}  // namespace armature::internal
