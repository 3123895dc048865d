// A run and its repetitions, side by side: rows at the same times, in memory.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "record/recorder.hpp"
#include "record/run_record.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

// Keeps every so many rows, and may pass all of them on.
class KeptRows final : public Recorder {
 public:
  explicit KeptRows(long every, Recorder* to = nullptr) : every_(every), to_(to) {}
  void begin(const std::vector<Channel>& channels) override;
  void row(std::span<const double> values) override;
  void pass_to(Recorder& to) { to_ = &to; }
  const MemoryRecorder& kept() const { return kept_; }

 private:
  long every_, count_ = 0;
  Recorder* to_;
  MemoryRecorder kept_;
};

long kept_every(const RunOptions& options, double start);  // so that ten thousand rows are compared at most

// Numbers of the whole motion of a model, such as --result asks for. Progress: false stops.
struct ResultNumbers {
  RunRecord::Numbers values;
  std::vector<std::pair<std::string, std::string>> units;  // by name, where they are known
};
using NumbersOfMotion = std::function<ResultNumbers(const Model&, const Progress&)>;

struct RepeatedRun {
  Outcome outcome;
  MemoryRecorder rows;
  ResultNumbers numbers;
};

// An exception is a failed outcome.
RepeatedRun run_again(const Prepared& prepared, long every, const Progress& progress);

// Does what may throw for an outcome; an exception makes it a failed one.
void guarded(Outcome& outcome, const std::function<void()>& work);

}  // namespace armature::internal
