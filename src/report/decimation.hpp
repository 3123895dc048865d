// Long recordings made short for drawing on the fly, in bounded memory.
//
// SparseRows keeps every k-th row; k doubles when there are too many. Envelope keeps of every k rows the smallest and the
// largest value of each channel, in the order in which they came, so that no peak is lost from a plot.
#pragma once

#include <span>
#include <vector>

namespace armature::internal {

class SparseRows {
 public:
  SparseRows(int width, int most) : width_(width), most_(most) {}
  void add(std::span<const double> row);
  void finish();  // keeps the last row too
  int rows() const { return width_ > 0 ? static_cast<int>(values_.size()) / width_ : 0; }
  std::span<const double> row(int i) const { return {values_.data() + i * width_, static_cast<std::size_t>(width_)}; }
  std::vector<double> row_at(double t) const;  // on the straight way between two rows; their first entry is the time

 private:
  void halve();

  int width_, most_;
  long stride_ = 1, seen_ = 0;
  std::vector<double> values_, last_;
  bool last_is_kept_ = true;
};

class Envelope {
 public:
  // The first channel is the time. At most `most` points a channel come out.
  Envelope(int width, int most) : width_(width), most_(most) {}
  void add(std::span<const double> row);
  void finish();
  long recorded() const { return recorded_; }
  int points() const { return (stride_ == 1 ? 1 : 2) * buckets(); }
  std::vector<double> times() const;
  std::vector<double> channel(int index) const;  // NaN where nothing is known

 private:
  struct Extremes {
    double low, high;
    bool low_first;
  };
  int buckets() const { return static_cast<int>(begin_.size()); }
  void close_bucket();
  void halve();
  static Extremes merged(const Extremes& first, const Extremes& second);

  int width_, most_;
  long stride_ = 1, recorded_ = 0, in_bucket_ = 0;
  double open_begin_ = 0, open_end_ = 0;
  std::vector<Extremes> open_;       // the bucket being filled
  std::vector<double> begin_, end_;  // times of the first and last row of each bucket
  std::vector<Extremes> extremes_;   // bucket by bucket
};

}  // namespace armature::internal
