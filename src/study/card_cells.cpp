#include "study/card_cells.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

constexpr auto look_at_stop = std::chrono::milliseconds(50);
constexpr long many_motions = 250'000;
constexpr long starts_at_once = 32;   // that a thread finds before it hands them over
constexpr long ended_at_once = 256;   // that the thread of a card hands over
constexpr std::size_t most_ended = 64;  // batches that wait for others before the thread of a card takes them itself

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
  const std::unique_ptr<MotionProgram> program =
      card.load(job_.unit, job_.count < many_motions ? Compilation::quick : Compilation::thorough);
  {
    const std::lock_guard lock(mutex_);
    enough_ += static_cast<std::size_t>(program->threads() / starts_at_once + 1);
    changed_.notify_all();
  }
  const CardStart fill = job_.start();
  const CardTake take_one = job_.take();
  Batch starts, ended;
  long at = 0;
  MotionFeed motions;
  motions.inputs = job_.inputs, motions.results = job_.results;
  motions.common = job_.common;
  motions.next = [&](bool wait) {
    if (++at >= starts.size()) {
      at = 0;
      starts = {};
      if (!next_starts(feed, fill, stop, wait, starts)) return MotionFeed::none_left;
      if (starts.size() == 0) return MotionFeed::none_ready;
    }
    return starts.index[static_cast<std::size_t>(at)];
  };
  motions.fill = [&](long, double* inputs) { std::copy_n(starts.numbers.data() + at * job_.inputs, job_.inputs, inputs); };
  motions.take = [&](long index, const double* results) {
    ended.index.push_back(index);
    ended.numbers.insert(ended.numbers.end(), results, results + job_.results);
    if (ended.size() < ended_at_once) return;
    if (!hand_over(ended)) take(ended, feed, take_one);
    ended = {};
  };
  motions.leave = [&](long index) { leave(index); };
  motions.stopped = [&] { return stop.load(); };
  run_motions(*program, motions);
  if (!stop) take(ended, feed, take_one);
}

// Those that other threads have found; none where they are at it, and nobody waits; else some that this thread finds. False: there are
// no more.
bool CardCells::next_starts(CellFeed& feed, const CardStart& fill, const StopFlag& stop, bool wait, Batch& starts) {
  while (starts.size() == 0) {
    {
      std::unique_lock lock(mutex_);
      while (wait && ready_.empty() && starting_ > 0 && !stop) changed_.wait_for(lock, look_at_stop);
      if (stop) return false;
      if (!ready_.empty()) {
        starts = std::move(ready_.front());
        ready_.pop_front();
        if (ready_.size() < enough_) changed_.notify_one();
        return true;
      }
      if (begun_ && starting_ == 0) return false;
      if (!wait && job_.slow_starts && assisting_ > 0) return true;
    }
    starts = find_starts(feed, fill, stop);
  }
  return true;
}

// A cell without a start is left to the processor, and the next is looked at.
CardCells::Batch CardCells::find_starts(CellFeed& feed, const CardStart& fill, const StopFlag& stop) {
  Batch found;
  while (found.size() < starts_at_once && !stop) {
    const long index = feed.next();
    if (index < 0) {
      const std::lock_guard lock(mutex_);
      begun_ = true;
      break;
    }
    const std::size_t end = found.numbers.size();
    found.numbers.resize(end + static_cast<std::size_t>(job_.inputs));
    if (fill(index, found.numbers.data() + end)) {
      found.index.push_back(index);
    } else {
      found.numbers.resize(end);
      leave(index);
    }
  }
  return found;
}

// False: others have enough to do.
bool CardCells::hand_over(Batch& ended) {
  const std::lock_guard lock(mutex_);
  if (assisting_ == 0 || ended_.size() >= most_ended) return false;
  ended_.push_back(std::move(ended));
  changed_.notify_one();
  return true;
}

void CardCells::take(const Batch& ended, CellFeed& feed, const CardTake& take_one) const {
  for (long k = 0; k < ended.size(); ++k) {
    const long index = ended.index[static_cast<std::size_t>(k)];
    const std::span<double> row = feed.row(index);
    take_one(index, {ended.numbers.data() + k * job_.results, static_cast<std::size_t>(job_.results)}, row);
    std::ranges::transform(row, row.begin(), with_one_nan);
    feed.finish(index);
  }
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
  CardTake take_one;
  long left = -1;
  Batch ended;
  {
    const std::lock_guard lock(mutex_);
    ++assisting_;
  }
  for (Task task; (task = next_task(stop, left, ended)) != Task::nothing;) {
    if (task == Task::compute) {
      if (!cell) cell = alone(stop);
      if (cell(left, feed.row(left))) feed.finish(left);
      continue;
    }
    if (task == Task::take) {
      if (!take_one) take_one = job_.take();
      take(ended, feed, take_one);
      continue;
    }
    if (!fill) fill = job_.start();
    Batch found = find_starts(feed, fill, stop);
    const std::lock_guard lock(mutex_);
    --starting_;
    if (found.size() > 0) ready_.push_back(std::move(found));
    changed_.notify_all();
  }
}

CardCells::Task CardCells::next_task(const StopFlag& stop, long& left, Batch& ended) {
  std::unique_lock lock(mutex_);
  for (; !stop; changed_.wait_for(lock, look_at_stop)) {
    if (!ended_.empty()) {
      ended = std::move(ended_.front());
      ended_.pop_front();
      return Task::take;
    }
    if (job_.slow_starts && !over_ && !begun_ && ready_.size() < enough_) return ++starting_, Task::start;
    if (!leaving_.empty()) {
      left = leaving_.front();
      leaving_.pop_front();
      return Task::compute;
    }
    if (over_) break;
  }
  return Task::nothing;
}

}  // namespace armature::internal
