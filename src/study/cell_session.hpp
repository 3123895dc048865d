// The cells of one study: who computes them, where they are kept while the work goes on, where the result goes.
//
// Without a folder everything stays in memory, and threads of this process compute the cells. With a folder, each finished cell goes
// to a journal there at once: a study that was interrupted can go on where it stopped, and the processes that mpirun starts share the
// cells among them. One of them writes the result.
//
//   CellSession session({.threads = 4, .progress = …});
//   const MapResult map = map_motions(model, {.over = {{"w0", -3, 3, 61}}, .classify = "turns: turns(phi) >= 1; rests"}, session);
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "prepare/prepare.hpp"
#include "read/reader.hpp"
#include "record/results_folder.hpp"
#include "study/cell_store.hpp"
#include "study/cells.hpp"
#include "study/design.hpp"

namespace armature::internal {

// Called in the thread that called the study, every tenth of a second and at the end; false: stop. what: "map", "level 2", …
using StudyProgress = std::function<bool(const std::string& what, long done, long count)>;

struct SessionOptions {
  int threads = 0;  // 0: one per core that this process may use
  StudyProgress progress = {};
  std::filesystem::path folder = {};  // of the results; empty: everything stays in memory
  bool resume = false;                // go on with the cells that an interrupted study has left in the folder …
  bool restart = false;               // … or drop them; neither: they are an error
  Settings settings = {};             // with which the model was read
  // How the caller put its request: {"over": ["l=0.5:1:11"]}. These entries replace those of the same name in the description.
  nlohmann::ordered_json request = {};
};

class CellSession {
 public:
  using Json = nlohmann::ordered_json;

  explicit CellSession(SessionOptions options = {});

  // For the study

  // Before the first cell. job: what the cells depend on besides the model and its options; width: numbers of a cell. Throws
  // RequestError (cells of an interrupted study that are neither resumed nor dropped) and RecordError.
  void begin(const std::string& verb, const Model& model, const Prepared& prepared, const Json& job, int width);

  // Computes cells, or takes them from the journal; the first has the number `first`.
  CellTable run(const CellJob& job, long first, const std::string& what);
  const Settings& settings() const { return options_.settings; }

  // For its caller

  long computed() const { return computed_; }                        // cells that are known
  long restored() const { return store_ ? store_->restored() : 0; }  // of these, found in the journal
  double seconds() const;                                            // since the session began
  const Team& team() const { return team_; }
  std::filesystem::path path() const { return folder_->path(); }  // where the result lies, or will lie
  std::filesystem::path partial() const { return folder_->partial(); }

  // Whether this process writes the result: the first of its team that still lives. Waits for the others.
  bool writes();

  // Lets `write` put its files into the folder, adds `name` with the description (model, options, job) and the result, and puts the
  // folder in its place. Returns the description without the text of the model, with the folder as "results".
  using Write = std::function<void(const std::filesystem::path& folder, const Json& description)>;
  Json publish(Json result, const Write& write, const std::string& name = "result.json");
  void drop();  // nothing is to be kept

 private:
  void open(const std::string& verb);

  SessionOptions options_;
  Json description_;  // version, model, options, job
  Team team_;
  std::unique_ptr<ResultsFolder> folder_;
  std::unique_ptr<CellStore> store_;
  long computed_ = 0;
  bool stopped_ = false;  // by the progress
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// What is varied, for result.json and the journal.
nlohmann::ordered_json axes_json(const std::vector<Axis>& axes);

}  // namespace armature::internal
