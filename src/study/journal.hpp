// The journal of finished cells: one file a process, one record a cell, appended in one piece as soon as the cell is done. Where cells come
// thick and fast, some milliseconds of them are written together.
//
//   header:  "ARMCELLS", fingerprint of the job
//   record:  index, width numbers, checksum of both            all of 8 bytes, as the machine holds them
//
// A record cut short by the end of the process does not match its checksum: reading stops there, and writing goes on there.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace armature::internal {

std::uint64_t fingerprint(const void* data, std::size_t bytes);  // FNV-1a

class JournalReader {
 public:
  JournalReader(std::filesystem::path file, std::uint64_t job, int width);

  // Calls `take` with each record that was added since the last call.
  using Take = std::function<void(long index, std::span<const double> values)>;
  void read(const Take& take);
  std::uint64_t end() const { return end_; }  // of the last whole record, in bytes

 private:
  std::filesystem::path file_;
  std::uint64_t job_, end_ = 0;
  std::vector<std::uint64_t> record_;
};

class JournalWriter {
 public:
  // Goes on behind the whole records of an existing file, or begins one. Throws RecordError.
  JournalWriter(const std::filesystem::path& file, std::uint64_t job, int width);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // From any thread. Throws RecordError.
  void append(long index, std::span<const double> values);
  void flush();  // what waits goes to the file; throws RecordError

 private:
  void write_waiting();

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::vector<std::uint64_t> waiting_;
  std::chrono::steady_clock::time_point written_ = {};
};

}  // namespace armature::internal
