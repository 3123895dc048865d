// One command that computes cells: its folder, its journal, its progress on the terminal, and how it ends. Under mpirun
// all processes of the team go through the same steps; one of them writes the result.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interrupt.hpp"
#include "prepare/prepare.hpp"
#include "record/hdf5_file.hpp"
#include "record/results_folder.hpp"
#include "session_arguments.hpp"
#include "study/cell_store.hpp"
#include "study/cells.hpp"
#include "study/design.hpp"

namespace armature::internal::cli {

using Json = nlohmann::ordered_json;

class CellSession {
 public:
  // job: everything that the cells depend on. Throws UsageError and RecordError.
  CellSession(const SessionArguments& arguments, const std::string& verb, const Model& model, const Prepared& prepared,
              Json job, int width);

  // Computes cells, or takes them from the journal; the first has the number `first`. `what` stands in the progress bar.
  CellTable run(const CellJob& job, long first, const std::string& what);

  // After an interruption: says how many of `count` cells are kept, returns the exit code.
  int stopped(long count) const;

  // Whether this process writes the result: the first of its team that still lives. Waits for the others.
  bool writes();

  // Lets `write` put its files into the folder, adds `name` (result, model, options, job), and puts the folder in its
  // place. With --json the result is printed, and true returned: nothing else is to be said.
  using Write = std::function<void(const std::filesystem::path& folder, const Json& description)>;
  bool publish(const Json& result, const Write& write, const std::string& name = "result.json");
  void drop();  // nothing is to be kept
  std::string path() const { return folder_->path().string(); }
  std::string how() const;  // "4 cells computed in 0.2 s, 3 taken over"
  bool speaks() const { return team_.rank == 0 && !arguments_.model.json; }  // prints progress and messages

 private:
  void open(const std::string& verb, const Model& model);

  const SessionArguments& arguments_;
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

// The description and the text of the model, which every file of results holds; and a matrix, row by row.
void write_description(Hdf5File& file, const Json& description);
void write_matrix(Hdf5File& file, const std::string& name, const Eigen::MatrixXd& values);

// What `armature` was told to vary, for result.json and the journal.
Json axes_json(const std::vector<Axis>& axes);

}  // namespace armature::internal::cli
