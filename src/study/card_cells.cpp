#include "study/card_cells.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr auto look_at_stop = std::chrono::milliseconds(50);
constexpr std::size_t starts_at_once = 16;  // that a thread finds before it hands them over

// Not every processor's NaN has the same bits.
double with_one_nan(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

}  // namespace

void CardCells::work(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone) {
  struct End {  // whatever happens, nobody waits for this thread
    CardCells& cells;
    ~End() {
      const std::lock_guard lock(cells.mutex_);
      cells.over_ = --cells.driving_ == 0;
      cells.changed_.notify_all();
    }
  };
  if (const std::shared_ptr<MotionDevice> card = take_card()) {
    const End end{*this};
    drive(*card, feed, stop);
  }
  assist(feed, stop, alone);
}

std::shared_ptr<MotionDevice> CardCells::take_card() {
  const std::lock_guard lock(mutex_);
  if (driven_ == cards_.size()) return nullptr;
  ++driving_, over_ = false;
  return cards_[driven_++];
}

// ---- a card

void CardCells::drive(MotionDevice& card, CellFeed& feed, const StopFlag& stop) {
  const std::unique_ptr<MotionProgram> program = card.load(job_.unit);
  {
    const std::lock_guard lock(mutex_);
    enough_ += static_cast<std::size_t>(program->threads());
    changed_.notify_all();
  }
  const CardStart fill = job_.start();
  const CardTake take = job_.take();
  Start start;
  MotionFeed motions;
  motions.inputs = job_.inputs, motions.results = job_.results;
  motions.common = job_.common;
  motions.next = [&] { return (start = next_start(feed, fill, stop)).index; };
  motions.fill = [&](long, double* inputs) { std::ranges::copy(start.inputs, inputs); };
  motions.take = [&](long index, const double* results) {
    const std::span<double> row = feed.row(index);
    take(index, {results, static_cast<std::size_t>(job_.results)}, row);
    std::ranges::transform(row, row.begin(), with_one_nan);
    feed.finish(index);
  };
  motions.leave = [&](long index) { leave(index); };
  motions.stopped = [&] { return stop.load(); };
  run_motions(*program, motions);
}

// One that another thread has found, or else one that this thread finds.
CardCells::Start CardCells::next_start(CellFeed& feed, const CardStart& fill, const StopFlag& stop) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      while (ready_.empty() && begun_ && starting_ > 0 && !stop) changed_.wait_for(lock, look_at_stop);
      if (stop) return {};
      if (!ready_.empty()) {
        Start start = std::move(ready_.front());
        ready_.pop_front();
        if (ready_.size() < enough_) changed_.notify_one();
        return start;
      }
      if (begun_) return {};
    }
    if (Start start; find_start(feed, fill, start)) return start;
  }
}

// A cell without a start is left to the processor, and the next is looked at.
bool CardCells::find_start(CellFeed& feed, const CardStart& fill, Start& start) {
  start.inputs.resize(static_cast<std::size_t>(job_.inputs));
  while ((start.index = feed.next()) >= 0) {
    if (fill(start.index, start.inputs.data())) return true;
    leave(start.index);
  }
  const std::lock_guard lock(mutex_);
  begun_ = true;
  return false;
}

void CardCells::leave(long index) {
  const std::lock_guard lock(mutex_);
  leaving_.push_back(index);
  ++left_;
  changed_.notify_one();
}

// ---- the other threads

void CardCells::assist(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone) {
  CellFunction cell;
  CardStart fill;
  long left = -1;
  for (Task task; (task = next_task(stop, left)) != Task::nothing;) {
    if (task == Task::compute) {
      if (!cell) cell = alone(stop);
      if (cell(left, feed.row(left))) feed.finish(left);
      continue;
    }
    if (!fill) fill = job_.start();
    std::vector<Start> found;
    for (Start start; found.size() < starts_at_once && !stop && find_start(feed, fill, start);) found.push_back(start);
    const std::lock_guard lock(mutex_);
    --starting_;
    ready_.insert(ready_.end(), found.begin(), found.end());
    changed_.notify_all();
  }
}

CardCells::Task CardCells::next_task(const StopFlag& stop, long& left) {
  std::unique_lock lock(mutex_);
  for (; !stop; changed_.wait_for(lock, look_at_stop)) {
    if (!leaving_.empty()) {
      left = leaving_.front();
      leaving_.pop_front();
      return Task::compute;
    }
    if (job_.slow_starts && !over_ && !begun_ && ready_.size() < enough_) return ++starting_, Task::start;
    if (over_) break;
  }
  return Task::nothing;
}

}  // namespace armature::internal
