// Recorded rows on their way to a Trajectory.
#pragma once

#include "library/access.hpp"
#include "library/translate.hpp"

namespace armature {

struct Recording : internal::Recorder {
  std::vector<internal::Channel> channels;
  std::vector<double> values;
  void begin(const std::vector<internal::Channel>& list) override { channels = list, values.clear(); }
  void row(std::span<const double> row) override { values.insert(values.end(), row.begin(), row.end()); }
  Trajectory trajectory() const { return internal::Access::trajectory(to_public(channels), values); }
};

}  // namespace armature
