// The folder of a run's results. Files are written to a sibling, DIR.partial, which takes DIR's place by a rename when the
// run has ended: what lies in DIR is always one whole result. A run that failed or was stopped does not replace a finished
// result: it goes to DIR.failed or DIR.stopped. A killed program leaves DIR.partial.
// A hidden list names the files of a result (result_list.hpp). Nothing else in DIR is ever removed: it stays there when a
// new result comes, and a folder without a list is not touched at all.
#pragma once

#include <filesystem>
#include <string>

#include "record/result_list.hpp"

namespace armature::internal {

// What a killed program left in DIR.partial. `join`: a program of the same team is writing it; nothing is made or locked.
enum class Abandoned { drop, keep, join };

// What a result is of. A run, its kinematics and its inverse dynamics have the same files; so have map, sweep and optimize.
enum class ResultKind { run, study, modes, tuning, singularities, comparison, gallery, identification };

class ResultsFolder {
 public:
  // Makes DIR.partial, empty unless it keeps what was abandoned. Throws RecordError: it cannot be written, another run is
  // writing it, or DIR or DIR.partial holds a result of another kind, or something that has no list.
  explicit ResultsFolder(const std::filesystem::path& folder, ResultKind kind = ResultKind::run,
                         Abandoned abandoned = Abandoned::drop);
  ~ResultsFolder();  // removes DIR.partial where nothing was written to it
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }  // where the results will lie, or lie since publish()
  const std::filesystem::path& partial() const { return partial_; }  // where to write now
  const std::filesystem::path& kept() const { return kept_; }  // with a finished result that was not replaced; or empty
  void publish(Ending ending = Ending::finished);              // throws RecordError

 private:
  void step_aside(Ending ending);

  std::filesystem::path folder_, partial_, kept_;
  ResultKind kind_;
  int lock_ = -1;  // descriptor of partial_, locked while this run writes it
};

// Whether a program is writing to this folder (DIR.partial) now.
bool is_being_written(const std::filesystem::path& partial);

// A name fit for a folder: "planar 3RRR robot" -> "planar_3RRR_robot".
std::string folder_name(const std::string& model_name);

}  // namespace armature::internal
