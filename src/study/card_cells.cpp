#include "study/card_cells.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr auto look_at_stop = std::chrono::milliseconds(50);

// Not every processor's NaN has the same bits.
double with_one_nan(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

}  // namespace

void CardCells::work(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone) {
  bool drives = false;
  {
    const std::lock_guard lock(mutex_);
    drives = !driven_;
    driven_ = true;
  }
  struct End {  // whatever happens, nobody waits for this thread
    CardCells& cells;
    bool drives;
    ~End() {
      if (!drives) return;
      const std::lock_guard lock(cells.mutex_);
      cells.over_ = true;
      cells.changed_.notify_all();
    }
  };
  {
    const End end{*this, drives};
    if (drives) drive(feed, stop);
  }
  compute_those_that_left(feed, stop, alone);
}

void CardCells::drive(CellFeed& feed, const StopFlag& stop) {
  const std::unique_ptr<MotionProgram> program = device_->load(job_.unit);
  MotionFeed motions;
  motions.inputs = job_.inputs, motions.results = job_.results;
  motions.common = job_.common;
  motions.next = [&] { return feed.next(); };
  motions.fill = job_.fill;
  motions.take = [&](long index, const double* results) {
    std::transform(results, results + job_.results, feed.row(index).begin(), with_one_nan);
    feed.finish(index);
  };
  motions.leave = [&](long index) {
    const std::lock_guard lock(mutex_);
    leaving_.push_back(index);
    ++left_;
    changed_.notify_one();
  };
  motions.stopped = [&] { return stop.load(); };
  run_motions(*program, motions);
}

void CardCells::compute_those_that_left(CellFeed& feed, const StopFlag& stop,
                                        const std::function<CellFunction(const StopFlag&)>& alone) {
  CellFunction cell;
  for (long index; (index = next_that_left(stop)) >= 0;) {
    if (!cell) cell = alone(stop);
    if (cell(index, feed.row(index))) feed.finish(index);
  }
}

long CardCells::next_that_left(const StopFlag& stop) {
  std::unique_lock lock(mutex_);
  while (leaving_.empty() && !over_ && !stop) changed_.wait_for(lock, look_at_stop);
  if (leaving_.empty() || stop) return -1;
  const long index = leaving_.front();
  leaving_.pop_front();
  return index;
}

}  // namespace armature::internal
