// Cells that are motions on one card or several (gpu/motion_runner.hpp). One thread of the job drives each card; the others find the
// starts of motions, fill cells with what these gave, and compute, by the full engine, those that leave a card. While the program for the
// cards is compiled, and whenever the cards have enough to do, they compute cells of their own. When all cells have begun, they also compute
// those that the cards were given last: who is first fills the cell. Cells have the same bits either way.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "gpu/motion_runner.hpp"
#include "study/cells.hpp"

namespace armature::internal {

// Fills the inputs of a motion; false: it has none, and the processor computes its cell.
using CardStart = std::function<bool(long index, double* inputs)>;
// Fills a cell with what a motion gave.
using CardTake = std::function<void(long index, std::span<const double> results, std::span<double> row)>;

struct CardJob {
  std::string unit;             // device_code()
  int inputs = 0, results = 0;  // of a motion
  long count = 0;               // motions
  std::function<void(CellFeed& feed, const StopFlag& stop)> lanes =
      {};  // how the processor computes several at once; empty: it does not
  std::vector<double> common;
  std::function<CardStart()> start;  // called once a thread
  std::function<CardTake()> take;    // likewise
  bool slow_starts = false;          // a start takes so long that other threads help to find them
};

// How many motions were computed by whom.
struct CardShares {
  long computed = 0;  // by cards
  long left = 0;      // by the processor, since they met something rare
  long helped = 0;    // by the processor, while it had nothing else to do
  void add(const CardShares& more) { computed += more.computed, left += more.left, helped += more.helped; }
};

class CardCells {
 public:
  CardCells(Cards cards, CardJob job)
      : cards_(std::move(cards)), job_(std::move(job)), filled_(static_cast<std::size_t>(job_.count), 0) {}

  // Called once in each thread of a job (CellJob::lanes). alone: makes what computes a cell by the processor.
  void work(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone);

  const CardShares& shares() const { return shares_; }  // when the job is over

 private:
  // Some motions, with the inputs or results of each.
  struct Batch {
    std::vector<long> index;
    std::vector<double> numbers;
    long size() const { return static_cast<long>(index.size()); }
  };
  // A cell that a card has filled.
  struct Filled {
    long index = -1;
    std::vector<double> row;
  };
  enum class Task { start, take, compute, check, help, race, nothing };
  class HelpFeed;
  class RaceFeed;

  std::shared_ptr<MotionDevice> take_card();  // null: others drive all of them
  std::unique_ptr<MotionProgram> load(MotionDevice& card, const StopFlag& stop);
  void drive(MotionDevice& card, CellFeed& feed, const StopFlag& stop);
  bool next_starts(CellFeed& feed, const CardStart& fill, const StopFlag& stop, bool wait, Batch& starts);
  Batch find_starts(CellFeed& feed, const CardStart& fill, const StopFlag& stop);
  bool hand_over(Batch& ended);
  void take(const Batch& ended, CellFeed& feed, const CardTake& take);
  void leave(long index);
  std::uint64_t count_taken(long more);
  bool is_checked(std::uint64_t number) const;
  void keep(long index, std::span<const double> row);
  void assist(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone);
  Task next_task(const StopFlag& stop, long& left, Batch& ended, Filled& filled);
  bool has_other_tasks();
  bool needs_no_card();
  long next_to_help_with(CellFeed& feed);
  long next_to_race_for();
  void give(const std::vector<long>& cells);
  bool fill_first(long index);
  using MakeCell = std::function<CellFunction(const StopFlag&)>;
  void compute(CellFeed& cells, const StopFlag& stop, CellFunction& cell, const MakeCell& alone) const;

  Cards cards_;
  CardJob job_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ready_, ended_;
  std::deque<long> leaving_;
  std::deque<Filled> to_check_;
  std::uint64_t taken_ = 0;   // motions that cards have ended
  std::size_t enough_ = 0;    // batches of starts that wait for the cards
  int assisting_ = 0;         // threads that drive no card
  int starting_ = 0;          // of these, those that look for starts
  bool begun_ = false;        // no cell is left that has not begun
  std::size_t driven_ = 0;    // cards that some thread drives, or drove
  int driving_ = 0;           // threads that drive one
  bool over_ = false;         // all of them are done
  std::vector<long> given_;   // to cards, in this order; without those that somebody races for
  std::vector<char> filled_;  // by index: cells that were given to a card and are filled
  long open_ = 0;             // such cells that are not
  StopFlag race_over_ = false;
  CardShares shares_;
};

}  // namespace armature::internal
