// One command that computes cells: its folder, its journal, its progress on the terminal, and how it ends. Under mpirun
// all processes of the team go through the same steps; one of them writes the result.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "analysis/cell_store.hpp"
#include "analysis/cells.hpp"
#include "interrupt.hpp"
#include "record/results_folder.hpp"
#include "study_arguments.hpp"

namespace armature::cli {

using Json = nlohmann::ordered_json;

class CellSession {
 public:
  // job: everything that the cells depend on. Throws UsageError and RecordError.
  CellSession(const StudyArguments& arguments, const std::string& verb, const Model& model, const Study& study,
              Json job, int width);

  // Computes cells, or takes them from the journal; the first has the number `first`. `what` stands in the progress bar.
  CellTable run(const CellJob& job, long first, const std::string& what);

  // After an interruption: says what is kept, returns the exit code.
  int stopped(long done, long count) const;

  // Whether this process writes the result: the first of its team that still lives. Waits for the others.
  bool writes();

  // Lets `write` put its files into the folder, adds result.json (result, model, options, job), and puts the folder in its
  // place. With --json the result is printed, and true returned: nothing else is to be said.
  using Write = std::function<void(const std::filesystem::path& folder, const Json& description)>;
  bool publish(const Json& result, const Write& write);
  std::string path() const { return folder_->path().string(); }
  std::string how() const;  // "4 cells computed in 0.2 s, 3 taken over"

 private:
  void open(const std::string& verb, const Model& model);

  const StudyArguments& arguments_;
  Json header_;  // version, model, options, job
  Team team_;
  std::unique_ptr<ResultsFolder> folder_;
  std::unique_ptr<CellStore> store_;
  Interrupt interrupt_;
  long computed_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

// A table as CSV: numbers in the shortest digits that read back as the same, fields of text as they are.
class CsvTable {
 public:
  explicit CsvTable(const std::vector<std::string>& header);
  CsvTable& add(double value);
  CsvTable& add(const std::string& text);
  void end_row();
  void write(const std::filesystem::path& file) const;  // throws RecordError

 private:
  std::string text_;
};

// What `armature` was told to vary, for result.json and the journal.
Json to_json(const std::vector<Axis>& axes);

}  // namespace armature::cli
