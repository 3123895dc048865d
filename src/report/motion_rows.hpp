// The rows of a motion: read from the folder of a run, or kept in memory. Between two rows values are on the straight way.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "record/recorder.hpp"

namespace armature::internal::plot {

class MotionRows {
 public:
  explicit MotionRows(const std::filesystem::path& folder);  // throws RecordError
  explicit MotionRows(const MemoryRecorder& rows);

  const std::string& from() const { return from_; }  // for messages
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<double>& t() const { return columns_.front(); }   // s; not empty
  std::vector<double> row_at(double t) const;                         // before the first and after the last row: these
  const std::vector<double>* find(const std::string& channel) const;  // null: there is none
  double value(const std::string& channel, double t) const;           // NaN: there is none

 private:
  std::string from_;
  std::vector<Channel> channels_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace armature::internal::plot
