// Rows as comma-separated values: a header `name [unit]`, then the shortest digits that read back as the same double.
// Whole rows are handed to the system, so that a file cut short by a crash is valid up to its last complete row.
//
// Digits cost more than many a step of a simulation: a thread writes them while the run goes on.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "record/block_thread.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

class CsvRecorder : public Recorder {
 public:
  explicit CsvRecorder(const std::filesystem::path& path);  // throws RecordError
  ~CsvRecorder() override;
  CsvRecorder(const CsvRecorder&) = delete;
  CsvRecorder& operator=(const CsvRecorder&) = delete;

  void begin(const std::vector<Channel>& channels) override;
  void row(std::span<const double> values) override;
  void close();  // writes what is buffered; this, begin() and row() throw RecordError once the file cannot be written

 private:
  void write_rows(const std::vector<double>& values);
  void write_text();
  [[noreturn]] void fail(int reason) const;  // an errno

  std::string path_;
  int file_ = -1;  // descriptor
  std::size_t columns_ = 0;
  fmt::memory_buffer text_;  // the writer's own until it has ended
  BlockThread writer_;       // of rows
};

}  // namespace armature::internal
