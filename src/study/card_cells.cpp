#include "study/card_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "expression/interruption.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

constexpr long many_motions = 250'000;  // are worth a thorough compilation
constexpr long some_motions = 10'000;   // the processor does not end them before the program is compiled
constexpr auto look_at_stop = std::chrono::milliseconds(50);
constexpr long starts_at_once = 32;     // that a thread finds before it hands them over
constexpr long ended_at_once = 256;     // that the thread of a card hands over
constexpr std::size_t most_ended = 64;  // batches that wait for others before the thread of a card takes them itself

// Not every processor's NaN has the same bits.
double with_one_nan(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

// A card or a compiler that is not as exact as the processor is found out, and its results are refused.
void require_same(long index, std::span<const double> card, std::span<const double> processor) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(with_one_nan(value)); };
  for (std::size_t k = 0; k < card.size(); ++k)
    if (bits(card[k]) != bits(processor[k]))
      throw RequestError(
          "gpu",
          fmt::format("the card has other bits than the processor: {:.17g} in place of {:.17g} in cell {}; begin anew "
                      "without this option, or with --gpu=fast where last digits do not matter",
                      card[k], processor[k], index));
}

}  // namespace

void CardCells::work(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone) {
  struct End {  // whatever happens, nobody waits for this thread
    CardCells& cells;
    ~End() {
      const std::lock_guard lock(cells.mutex_);
      cells.over_ = --cells.driving_ == 0;
      if (cells.over_) cells.race_over_ = true;
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
  if (driven_ == cards_.devices.size()) return nullptr;
  ++driving_, over_ = false;
  return cards_.devices[driven_++];
}

// ---- a card

// Null: the processor was faster than the compiler.
std::unique_ptr<MotionProgram> CardCells::load(MotionDevice& card, const StopFlag& stop) {
  LoadOptions options;
  options.compilation = cards_.compilation.value_or(job_.count < many_motions ? Compilation::quick : Compilation::both);
  options.arithmetic = cards_.arithmetic;
  options.by_all_cores = job_.count >= some_motions || !cards_.are_helped();
  options.stopped = [&] { return stop || needs_no_card(); };
  try {
    return card.load(job_.unit, options);
  } catch (const Interrupted&) {
    return nullptr;
  }
}

void CardCells::drive(MotionDevice& card, CellFeed& feed, const StopFlag& stop) {
  const std::unique_ptr<MotionProgram> program = load(card, stop);
  if (!program) return;
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
  motions.arithmetic = cards_.arithmetic;
  motions.next = [&](bool wait) {
    if (++at >= starts.size()) {
      at = 0;
      starts = {};
      if (!next_starts(feed, fill, stop, wait, starts)) return MotionFeed::none_left;
      if (starts.size() == 0) return MotionFeed::none_ready;
      give(starts.index);
    }
    return starts.index[static_cast<std::size_t>(at)];
  };
  motions.fill = [&](long, double* inputs) {
    std::copy_n(starts.numbers.data() + at * job_.inputs, job_.inputs, inputs);
  };
  motions.take = [&](long index, const double* results) {
    ended.index.push_back(index);
    ended.numbers.insert(ended.numbers.end(), results, results + job_.results);
    if (ended.size() < ended_at_once) return;
    if (!hand_over(ended)) take(ended, feed, take_one);
    ended = {};
  };
  motions.leave = [&](long index) { leave(index); };
  motions.stopped = [&] {
    if (stop) race_over_ = true;
    return stop || needs_no_card();
  };
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
      give({index});
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

void CardCells::take(const Batch& ended, CellFeed& feed, const CardTake& take_one) {
  const std::uint64_t before = count_taken(ended.size());
  long filled = 0;
  for (long k = 0; k < ended.size(); ++k) {
    const long index = ended.index[static_cast<std::size_t>(k)];
    if (!fill_first(index)) continue;
    ++filled;
    const std::span<double> row = feed.row(index);
    take_one(index, {ended.numbers.data() + k * job_.results, static_cast<std::size_t>(job_.results)}, row);
    std::ranges::transform(row, row.begin(), with_one_nan);
    if (is_checked(before + static_cast<std::uint64_t>(k) + 1)) keep(index, row);
    feed.finish(index);
  }
  const std::lock_guard lock(mutex_);
  shares_.computed += filled;
}

// Returns how many there were before.
std::uint64_t CardCells::count_taken(long more) {
  const std::lock_guard lock(mutex_);
  return std::exchange(taken_, taken_ + static_cast<std::uint64_t>(more));
}

// The first cell, the second, the fourth, the eighth …: the processor computes them, too.
bool CardCells::is_checked(std::uint64_t number) const {
  return cards_.arithmetic == Arithmetic::exact && std::has_single_bit(number);
}

void CardCells::keep(long index, std::span<const double> row) {
  const std::lock_guard lock(mutex_);
  to_check_.push_back({index, {row.begin(), row.end()}});
  changed_.notify_one();
}

void CardCells::leave(long index) {
  if (!fill_first(index)) return;
  const std::lock_guard lock(mutex_);
  leaving_.push_back(index);
  ++shares_.left;
  changed_.notify_one();
}

// All cells have begun, and those that were for a card are filled.
bool CardCells::needs_no_card() {
  const std::lock_guard lock(mutex_);
  return begun_ && ready_.empty() && starting_ == 0 && open_ == 0;
}

void CardCells::give(const std::vector<long>& cells) {
  const std::lock_guard lock(mutex_);
  open_ += static_cast<long>(cells.size());
  given_.insert(given_.end(), cells.begin(), cells.end());
}

// False: somebody else has filled the cell, or is about to.
bool CardCells::fill_first(long index) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(filled_[static_cast<std::size_t>(index)], 1)) return false;
  if (--open_ == 0 && begun_ && ready_.empty() && starting_ == 0) race_over_ = true;
  return true;
}

// ---- the other threads

// Cells for the processor, as long as the cards want nothing of it.
class CardCells::HelpFeed final : public CellFeed {
 public:
  HelpFeed(CardCells& cells, CellFeed& feed) : cells_(cells), feed_(feed) {}
  long next() override { return cells_.has_other_tasks() ? -1 : cells_.next_to_help_with(feed_); }
  std::span<double> row(long index) override { return feed_.row(index); }
  void finish(long index) override { feed_.finish(index); }

 private:
  CardCells& cells_;
  CellFeed& feed_;
};

// Cells that cards have, the last ones first. Each is computed in a row of its own, since a card may fill that of the table at any time.
class CardCells::RaceFeed final : public CellFeed {
 public:
  RaceFeed(CardCells& cells, CellFeed& feed) : cells_(cells), feed_(feed) {}
  long next() override { return cells_.has_other_tasks() ? -1 : cells_.next_to_race_for(); }
  std::span<double> row(long index) override {
    std::vector<double>& row = rows_[index];
    row.resize(feed_.row(index).size());
    return row;
  }
  void finish(long index) override {
    if (cells_.fill_first(index)) {
      std::ranges::copy(rows_[index], feed_.row(index).begin());
      feed_.finish(index);
      const std::lock_guard lock(cells_.mutex_);
      ++cells_.shares_.helped;
    }
    rows_.erase(index);
  }

 private:
  CardCells& cells_;
  CellFeed& feed_;
  std::map<long, std::vector<double>> rows_;
};

// Half of what the cards wait for is there to begin with, so that nobody turns back after a few cells.
bool CardCells::has_other_tasks() {
  const std::lock_guard lock(mutex_);
  return !ended_.empty() || !leaving_.empty() || (job_.slow_starts && !begun_ && 2 * ready_.size() < enough_);
}

long CardCells::next_to_help_with(CellFeed& feed) {
  const long index = feed.next();
  const std::lock_guard lock(mutex_);
  shares_.helped += index >= 0;
  begun_ = begun_ || index < 0;
  return index;
}

// -1: there is none.
long CardCells::next_to_race_for() {
  const std::lock_guard lock(mutex_);
  while (!given_.empty() && !race_over_) {
    const long index = given_.back();
    given_.pop_back();
    if (!filled_[static_cast<std::size_t>(index)]) return index;
  }
  return -1;
}

// All that there are; or one, where the processor computes one after the other. cell: made by `alone` when it is needed.
void CardCells::compute(CellFeed& cells, const StopFlag& stop, CellFunction& cell, const MakeCell& alone) const {
  if (job_.lanes) return job_.lanes(cells, stop);
  if (!cell) cell = alone(stop);
  if (const long index = cells.next(); index >= 0 && cell(index, cells.row(index))) cells.finish(index);
}

void CardCells::assist(CellFeed& feed, const StopFlag& stop,
                       const std::function<CellFunction(const StopFlag&)>& alone) {
  CellFunction cell, racing;
  CardStart fill;
  CardTake take_one;
  long left = -1;
  Batch ended;
  Filled filled;
  {
    const std::lock_guard lock(mutex_);
    ++assisting_;
  }
  for (Task task; (task = next_task(stop, left, ended, filled)) != Task::nothing;) {
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
    if (task == Task::check) {
      if (!cell) cell = alone(stop);
      if (std::vector<double> row(filled.row.size()); cell(filled.index, row))
        require_same(filled.index, filled.row, row);
      continue;
    }
    if (task == Task::help) {
      HelpFeed help(*this, feed);
      compute(help, stop, cell, alone);
      continue;
    }
    if (task == Task::race) {
      RaceFeed race(*this, feed);
      compute(race, race_over_, racing, alone);
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

CardCells::Task CardCells::next_task(const StopFlag& stop, long& left, Batch& ended, Filled& filled) {
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
    if (!to_check_.empty()) {
      filled = std::move(to_check_.front());
      to_check_.pop_front();
      return Task::check;
    }
    if (over_) break;
    if (cards_.are_helped() && !begun_) return Task::help;
    if (cards_.are_helped() && !given_.empty() && !race_over_) return Task::race;
  }
  return Task::nothing;
}

}  // namespace armature::internal
