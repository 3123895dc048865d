// The folder of a run's results. Files are written to a sibling, DIR.partial, which takes DIR's place by a rename when the
// run has ended, however it ended: what lies in DIR is always one whole result. A killed program leaves DIR.partial.
// A hidden list names the files of a result; what else lies in DIR is the user's and stays there when a new result comes.
#pragma once

#include <filesystem>
#include <string>

namespace armature {

// What a killed program left in DIR.partial. `join`: a program of the same team is writing it; nothing is made or locked.
enum class Abandoned { drop, keep, join };

// What a result is of. A run, its kinematics and its inverse dynamics have the same files; so have map, sweep and optimize.
enum class ResultKind { run, study, modes, tuning, singularities, gallery };

class ResultsFolder {
 public:
  // Makes DIR.partial, empty unless it keeps what was abandoned. Throws RecordError: it cannot be written, another run is
  // writing it, or DIR holds a result of another kind, or something that is not a result at all (it has no list, and none
  // of run.json, result.json …).
  explicit ResultsFolder(const std::filesystem::path& folder, ResultKind kind = ResultKind::run,
                         Abandoned abandoned = Abandoned::drop);
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }      // where the results will lie
  const std::filesystem::path& partial() const { return partial_; }  // where to write now
  void publish();                                                    // throws RecordError

 private:
  std::filesystem::path folder_, partial_;
  int lock_ = -1;  // descriptor of partial_, locked while this run writes it
};

// A name fit for a folder: "planar 3RRR robot" -> "planar_3RRR_robot".
std::string folder_name(const std::string& model_name);

}  // namespace armature
