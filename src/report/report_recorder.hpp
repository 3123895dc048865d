// Passes rows on to another recorder and keeps, in bounded memory, what the report draws of them.
#pragma once

#include <optional>

#include "record/recorder.hpp"
#include "report/decimation.hpp"

namespace armature::internal {

class ReportRecorder : public Recorder {
 public:
  explicit ReportRecorder(Recorder& next) : next_(next) {}
  void begin(const std::vector<Channel>& channels) override;
  void row(std::span<const double> values) override;
  void finish();  // no more rows come

  const std::vector<Channel>& channels() const { return channels_; }
  const SparseRows* frames() const { return frames_ ? &*frames_ : nullptr; }  // null: nothing was recorded
  const Envelope* envelope() const { return envelope_ ? &*envelope_ : nullptr; }

 private:
  Recorder& next_;
  std::vector<Channel> channels_;
  std::optional<SparseRows> frames_;
  std::optional<Envelope> envelope_;
};

}  // namespace armature::internal
