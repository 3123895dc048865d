// Where the finished cells of a job are kept while it goes on, and how the processes of a team share them out.
//
// Each process appends its cells to a journal of its own and reads those of the others. A process takes a chunk of cells by
// locking one byte of a common file. Locks vanish with the process that holds them, and are never given back before: a chunk
// that can be locked has either not been taken yet, or who took it has died, and what its journal lacks is left to do.
// There are no messages and nothing to wait for but cells.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "study/cells.hpp"
#include "study/journal.hpp"
#include "study/team.hpp"

namespace armature::internal {

class CellStore {
 public:
  // job: what is computed, as a text of lines; cells of another job are refused. The first process of a team opens
  // the folder, the others wait for it. Throws RecordError.
  CellStore(std::filesystem::path folder, const std::string& job, int width, const Team& team);
  ~CellStore();
  CellStore(const CellStore&) = delete;
  CellStore& operator=(const CellStore&) = delete;

  const Team& team() const { return team_; }
  long restored() const { return restored_; }  // cells that were found

  // Puts what is known of the cells first, first + 1, … into the table; returns how many were new to it.
  long fill(CellTable& table, long first);
  void append(long index, std::span<const double> values);  // from any thread; on disk some milliseconds later, or
  void flush();                                             // now
  bool take(long chunk);                                    // false: another process has it
  void refresh();                                           // reads the journals of the others

  // For the end: whether all of the team have been here, whether a process still lives, and whether the folder has been
  // put in its place by another.
  bool all_arrived() const;
  bool alive(int rank) const;
  bool gone() const;
  void remove_traces();  // the files of the store, before the folder becomes a result

 private:
  void check_job(const std::string& job) const;
  void open_session(const std::string& job);
  void wait_for_session() const;
  bool lock(long byte) const;

  std::filesystem::path folder_;
  Team team_;
  int width_;
  std::uint64_t job_;
  int claims_ = -1;  // descriptor: byte r says that process r has arrived; locks say who lives and what is taken
  std::unique_ptr<JournalWriter> journal_;
  std::vector<JournalReader> readers_;  // of all journals but our own
  std::map<long, std::vector<double>> cells_;
  long restored_ = 0;
  std::mutex mutex_;
};

// Whether a killed job has left finished cells in this folder (DIR.partial).
bool has_cells(const std::filesystem::path& folder);

}  // namespace armature::internal
