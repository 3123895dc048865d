#include "cell_session.hpp"

#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "errors.hpp"
#include "lists.hpp"
#include "progress_bar.hpp"
#include "record/json_text.hpp"
#include "record/record_error.hpp"
#include "record/version.hpp"
#include "record/write_text.hpp"
#include "run/describe.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto poll = std::chrono::milliseconds(10);
constexpr auto patience = std::chrono::seconds(10);  // for processes of the team that have not begun when all is done

Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, formula] : settings) json[name] = formula;
  return json;
}

// Options in force, but for those that only shape rows.
Json options_json(const Model& model, const Prepared& prepared) {
  Outcome nothing;
  nothing.last = prepared.start;
  Json options = armature::internal::to_json(describe(model, {}, prepared, nothing))["options"];
  options.erase("record");
  return options;
}

// The text of the model stands for it, wherever its file lies.
std::string job_text(Json header) {
  header["model"] = header["model"]["text"];
  return json_text(header) + "\n";
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

ResultKind kind_of(const std::string& verb) {
  return verb == "tune" ? ResultKind::tuning : verb == "singularities" ? ResultKind::singularities : ResultKind::study;
}

}  // namespace

CellSession::CellSession(const SessionArguments& arguments, const std::string& verb, const Model& model,
                         const Prepared& prepared, Json job, int width)
    : arguments_(arguments), team_(team_from_environment()) {
  header_ = {{"armature", version()},
             {"verb", verb},
             {"model", {{"name", model.name}, {"file", model.file}, {"text", model.text}}},
             {"tables", tables_json(model)},
             {"settings", settings_json(arguments.model.settings())},
             {"options", options_json(model, prepared)}};
  header_.update(job);
  open(verb, model);
  store_ = std::make_unique<CellStore>(folder_->partial(), job_text(header_), width, team_);
  if (store_->restored() > 0 && speaks())
    fmt::print("{} {} found\n", counted(store_->restored(), "finished cell"), store_->restored() == 1 ? "was" : "were");
}

void CellSession::open(const std::string& verb, const Model& model) {
  const fs::path folder = arguments_.output.empty() ? fs::path("results") / (folder_name(model.name) + "_" + verb)
                                                    : fs::path(arguments_.output);
  if (team_.rank > 0) {
    folder_ = std::make_unique<ResultsFolder>(folder, kind_of(verb), Abandoned::join);
    return;
  }
  fs::path partial = folder;
  partial += ".partial";
  if (is_being_written(partial))
    throw UsageError(fmt::format("{}: another command is writing its cells here", partial.string()));
  if (has_cells(partial) && !arguments_.resume && !arguments_.restart)
    throw UsageError(
        fmt::format("{}: an interrupted command has left finished cells here; --resume goes on with them, "
                    "--restart drops them",
                    partial.string()));
  folder_ =
      std::make_unique<ResultsFolder>(folder, kind_of(verb), arguments_.resume ? Abandoned::keep : Abandoned::drop);
}

CellTable CellSession::run(const CellJob& job, long first, const std::string& what) {
  CellOptions options;
  options.threads = arguments_.threads;
  options.store = store_.get();
  options.first = first;
  ProgressBar bar(0, 1);
  long before = -1;
  options.progress = [&](long done, long count) {
    if (before < 0) before = done;
    bar.show([&](double elapsed) { return cells_line(what, before, done, count, elapsed); });
    return !interrupt_.requested();
  };
  CellTable table = run_cells(job, options);
  computed_ += table.count() - table.missing();
  return table;
}

int CellSession::stopped(long count) const {
  if (team_.rank == 0)
    fmt::print(stderr, "stopped: {} of {} cells are done and kept in {}; the same command with --resume goes on\n",
               computed_, count, folder_->partial().string());
  return failed;
}

bool CellSession::writes() {
  if (team_.alone()) return true;
  const auto began = std::chrono::steady_clock::now();
  for (; !store_->gone(); std::this_thread::sleep_for(poll)) {
    bool lower = false;
    for (int rank = 0; rank < team_.rank; ++rank) lower = lower || store_->alive(rank);
    if (!lower && (store_->all_arrived() || std::chrono::steady_clock::now() - began > patience)) return true;
  }
  return false;
}

bool CellSession::publish(const Json& result, const Write& write, const std::string& name) {
  Json description = header_;
  description.update(result);
  write(folder_->partial(), description);
  write_text(folder_->partial() / name, json_text(description) + "\n");
  store_->remove_traces();
  folder_->publish();
  if (!arguments_.model.json) return false;
  description["model"].erase("text");
  description["results"] = path();
  fmt::print("{}\n", json_text(description));
  return true;
}

void CellSession::drop() {
  store_->remove_traces();
  folder_.reset();
}

std::string CellSession::how() const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const long restored = std::min(store_->restored(), computed_);
  std::string text = fmt::format("{} computed in {:.3g} s", counted(computed_ - restored, "cell"), seconds);
  if (restored > 0) text += fmt::format(", {} taken over", restored);
  if (!team_.alone()) text += fmt::format(", by {} processes", team_.size);
  return text;
}

CsvTable::CsvTable(const std::vector<std::string>& header) {
  for (const std::string& name : header) add(name);
  end_row();
}

CsvTable& CsvTable::add(double value) {
  text_ += std::isnan(value) ? "nan," : fmt::format("{},", value);  // of either sign
  return *this;
}

CsvTable& CsvTable::add(const std::string& text) {
  std::string field = text;
  if (text.find_first_of(",\"\r\n") != std::string::npos) {
    field = "\"";
    for (char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
    field += '"';
  }
  text_ += field + ",";
  return *this;
}

void CsvTable::end_row() { text_.back() = '\n'; }

void CsvTable::write(const fs::path& file) const { write_text(file, text_); }

void write_description(Hdf5File& file, const Json& description) {
  file.write("description", json_text(description));
  file.write("model", description["model"]["text"].get<std::string>());
}

void write_matrix(Hdf5File& file, const std::string& name, const Eigen::MatrixXd& values) {
  const Eigen::MatrixXd rows = values.transpose();  // whose columns lie one after the other
  file.write(name, {rows.data(), static_cast<std::size_t>(rows.size())}, static_cast<int>(values.cols()));
}

Json axes_json(const std::vector<Axis>& axes) {
  Json json = Json::array();
  for (const Axis& axis : axes) {
    json.push_back({{"name", axis.name}, {"from", axis.from}, {"to", axis.to}});
    if (axis.count > 0) json.back()["count"] = axis.count;
  }
  return json;
}

}  // namespace armature::internal::cli
