// Keeps the last row that was recorded.
#pragma once

#include <vector>

#include "record/recorder.hpp"

namespace armature::internal {

struct LatestRow : Recorder {
  std::vector<Channel> channels;
  std::vector<double> values;
  void begin(const std::vector<Channel>& list) override { channels = list; }
  void row(std::span<const double> row) override { values.assign(row.begin(), row.end()); }
};

}  // namespace armature::internal
