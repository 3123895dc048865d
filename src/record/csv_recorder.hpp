// Rows as comma-separated values: a header `name [unit]`, then the shortest digits that read back as the same double.
// Whole rows are handed to the system, so that a file cut short by a crash is valid up to its last complete row.
//
// Digits cost more than many a step of a simulation: a thread writes them while the run goes on. row() keeps numbers, and
// hands them over when there are many or a second has passed.
#pragma once

#include <fmt/format.h>

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "record/recorder.hpp"

namespace armature {

class CsvRecorder : public Recorder {
 public:
  explicit CsvRecorder(const std::filesystem::path& path);  // throws RecordError
  ~CsvRecorder() override;
  CsvRecorder(const CsvRecorder&) = delete;
  CsvRecorder& operator=(const CsvRecorder&) = delete;

  void begin(const std::vector<Channel>& channels) override;
  void row(std::span<const double> values) override;
  void close();  // writes what is buffered; throws RecordError if the file could not be written

 private:
  void hand_over();                  // waits until the writer has taken what it was given before
  void finish();                     // all rows are in the file, and the writer has ended
  void write_what_is_handed_over();  // the writer's loop
  void write_rows(const std::vector<double>& values);
  void write_text();

  std::string path_;
  int file_ = -1;  // descriptor
  std::size_t columns_ = 0;
  std::vector<double> rows_;  // not handed over yet
  double last_time_ = 0;      // of a hand-over, s, steady clock

  std::thread writer_;  // starts with the first hand-over; from then on text_ and error_ are its own until it has ended
  fmt::memory_buffer text_;
  int error_ = 0;  // errno of the first write that failed

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<double> handed_over_;
  bool last_ = false;  // nothing follows
};

}  // namespace armature
