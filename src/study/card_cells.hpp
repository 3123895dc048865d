// Cells that are motions on one card or several (gpu/motion_runner.hpp). One thread of the job drives each card; the others find the
// starts of motions, fill cells with what these gave, and compute, by the full engine, those that leave a card. Cells have the same bits
// either way.
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
  long count = 0;               // motions; many are worth a thorough compilation
  std::vector<double> common;
  std::function<CardStart()> start;  // called once a thread
  std::function<CardTake()> take;    // likewise
  bool slow_starts = false;          // a start takes so long that other threads help to find them
};

class CardCells {
 public:
  CardCells(MotionDevices cards, CardJob job) : cards_(std::move(cards)), job_(std::move(job)) {}

  // Called once in each thread of a job (CellJob::lanes). alone: makes what computes a cell by the processor.
  void work(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone);

  long left() const { return left_; }  // motions that left a card

 private:
  // Some motions, with the inputs or results of each.
  struct Batch {
    std::vector<long> index;
    std::vector<double> numbers;
    long size() const { return static_cast<long>(index.size()); }
  };
  enum class Task { start, take, compute, nothing };

  std::shared_ptr<MotionDevice> take_card();  // null: others drive all of them
  void drive(MotionDevice& card, CellFeed& feed, const StopFlag& stop);
  bool next_starts(CellFeed& feed, const CardStart& fill, const StopFlag& stop, bool wait, Batch& starts);
  Batch find_starts(CellFeed& feed, const CardStart& fill, const StopFlag& stop);
  bool hand_over(Batch& ended);
  void take(const Batch& ended, CellFeed& feed, const CardTake& take) const;
  void leave(long index);
  void assist(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone);
  Task next_task(const StopFlag& stop, long& left, Batch& ended);

  MotionDevices cards_;
  CardJob job_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> ready_, ended_;
  std::deque<long> leaving_;
  std::size_t enough_ = 0;  // batches of starts that wait for the cards
  int assisting_ = 0;       // threads that drive no card
  int starting_ = 0;        // of these, those that look for starts
  bool begun_ = false;      // no cell is left that has not begun
  std::size_t driven_ = 0;  // cards that some thread drives, or drove
  int driving_ = 0;         // threads that drive one
  bool over_ = false;       // all of them are done
  long left_ = 0;
};

}  // namespace armature::internal
