#include "report/decimation.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

void SparseRows::add(std::span<const double> row) {
  last_is_kept_ = seen_++ % stride_ == 0;
  if (!last_is_kept_) {
    last_.assign(row.begin(), row.end());
    return;
  }
  values_.insert(values_.end(), row.begin(), row.end());
  if (rows() > most_) halve();
}

// Every other row goes; the last one, of an odd place, is kept as the latest.
void SparseRows::halve() {
  const int count = rows();
  if (count % 2 == 0) {
    last_.assign(values_.end() - width_, values_.end());
    last_is_kept_ = false;
  }
  for (int i = 1; 2 * i < count; ++i)
    std::copy_n(values_.begin() + 2 * i * width_, width_, values_.begin() + i * width_);
  values_.resize(static_cast<std::size_t>((count + 1) / 2) * static_cast<std::size_t>(width_));
  stride_ *= 2;
}

void SparseRows::finish() {
  if (last_is_kept_) return;
  values_.insert(values_.end(), last_.begin(), last_.end());
  last_is_kept_ = true;
}

std::vector<double> SparseRows::row_at(double t) const {
  int high = 0;
  while (high + 1 < rows() && row(high)[0] < t) ++high;
  const std::span<const double> a = row(std::max(high - 1, 0)), b = row(high);
  const double share = b[0] > a[0] ? std::clamp((t - a[0]) / (b[0] - a[0]), 0.0, 1.0) : 0;
  std::vector<double> between;
  for (std::size_t i = 0; i < a.size(); ++i) between.push_back(a[i] + share * (b[i] - a[i]));
  return between;
}

Envelope::Extremes Envelope::merged(const Extremes& first, const Extremes& second) {
  if (std::isnan(first.low)) return second;
  if (std::isnan(second.low)) return first;
  const bool low_in_first = first.low <= second.low, high_in_first = first.high >= second.high;
  return {std::min(first.low, second.low), std::max(first.high, second.high),
          low_in_first != high_in_first ? low_in_first : (low_in_first ? first.low_first : second.low_first)};
}

void Envelope::add(std::span<const double> row) {
  ++recorded_;
  if (in_bucket_++ == 0) {
    open_begin_ = row[0];
    open_.clear();
    for (double x : row) open_.push_back({x, x, true});
  } else {
    for (int k = 0; k < width_; ++k) open_[k] = merged(open_[k], {row[k], row[k], true});
  }
  open_end_ = row[0];
  if (in_bucket_ == stride_) close_bucket();
}

void Envelope::close_bucket() {
  in_bucket_ = 0;
  begin_.push_back(open_begin_);
  end_.push_back(open_end_);
  extremes_.insert(extremes_.end(), open_.begin(), open_.end());
  if (points() >= most_) halve();
}

void Envelope::halve() {
  const int pairs = buckets() / 2;
  for (int i = 0; i < pairs; ++i) {
    begin_[i] = begin_[2 * i];
    end_[i] = end_[2 * i + 1];
    for (int k = 0; k < width_; ++k)
      extremes_[i * width_ + k] = merged(extremes_[2 * i * width_ + k], extremes_[(2 * i + 1) * width_ + k]);
  }
  begin_.resize(pairs), end_.resize(pairs), extremes_.resize(pairs * width_);
  stride_ *= 2;
}

void Envelope::finish() {
  if (in_bucket_ > 0) close_bucket();
}

std::vector<double> Envelope::times() const {
  if (stride_ == 1) return begin_;
  std::vector<double> times;
  for (int i = 0; i < buckets(); ++i) times.insert(times.end(), {begin_[i], end_[i]});
  return times;
}

std::vector<double> Envelope::channel(int index) const {
  std::vector<double> values;
  for (int i = 0; i < buckets(); ++i) {
    const Extremes& x = extremes_[i * width_ + index];
    values.push_back(x.low_first ? x.low : x.high);
    if (stride_ > 1) values.push_back(x.low_first ? x.high : x.low);
  }
  return values;
}

}  // namespace armature::internal
