#include "report/motion_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "record/record_error.hpp"
#include "record/trajectory.hpp"

namespace armature::internal::plot {

MotionRows::MotionRows(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "trajectory.csv";
  from_ = file.string();
  channels_ = read_channels(file);
  std::vector<int> all;
  for (std::size_t k = 0; k < channels_.size(); ++k) all.push_back(static_cast<int>(k));
  columns_ = read_columns(file, all);
  if (columns_.empty() || columns_[0].empty()) throw RecordError(fmt::format("{}: has no rows", file.string()));
}

MotionRows::MotionRows(const MemoryRecorder& rows) : from_("the motion"), channels_(rows.channels()) {
  columns_.resize(channels_.size());
  for (int k = 0; k < rows.rows(); ++k)
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].push_back(rows.row_at(k)[i]);
  if (columns_.empty() || columns_[0].empty()) throw RecordError("the motion has no rows");
}

// Rows at the same time, before and after an event: the later one counts from there on.
std::vector<double> MotionRows::row_at(double t) const {
  const std::vector<double>& times = this->t();
  const auto after = std::ranges::upper_bound(times, t);
  const auto high =
      static_cast<std::size_t>(after == times.end() ? times.end() - 1 - times.begin() : after - times.begin());
  const std::size_t low = after == times.end() ? high : high == 0 ? 0 : high - 1;
  const double share = times[high] > times[low] ? (t - times[low]) / (times[high] - times[low]) : 0;
  std::vector<double> row;
  for (const auto& column : columns_)
    row.push_back(share == 0 ? column[low] : column[low] + std::clamp(share, 0.0, 1.0) * (column[high] - column[low]));
  return row;
}

const std::vector<double>* MotionRows::find(const std::string& channel) const {
  const auto found = std::ranges::find(channels_, channel, &Channel::name);
  return found == channels_.end() ? nullptr : &columns_[static_cast<std::size_t>(found - channels_.begin())];
}

double MotionRows::value(const std::string& channel, double t) const {
  const auto found = std::ranges::find(channels_, channel, &Channel::name);
  if (found == channels_.end()) return std::numeric_limits<double>::quiet_NaN();
  return row_at(t)[static_cast<std::size_t>(found - channels_.begin())];
}

}  // namespace armature::internal::plot
