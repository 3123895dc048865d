#include "record/recorder.hpp"

#include <cassert>

namespace armature::internal {

void MemoryRecorder::begin(const std::vector<Channel>& channels) {
  channels_ = channels;
  values_.clear();
}

void MemoryRecorder::row(std::span<const double> values) {
  assert(values.size() == channels_.size());
  values_.insert(values_.end(), values.begin(), values.end());
}

int MemoryRecorder::rows() const { return channels_.empty() ? 0 : int(values_.size() / channels_.size()); }

std::span<const double> MemoryRecorder::row_at(int row) const {
  return {values_.data() + row * channels_.size(), channels_.size()};
}

std::vector<double> MemoryRecorder::column(const std::string& name) const {
  std::vector<double> column;
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    if (channels_[k].name != name) continue;
    for (std::size_t i = k; i < values_.size(); i += channels_.size()) column.push_back(values_[i]);
    break;
  }
  return column;
}

}  // namespace armature::internal
