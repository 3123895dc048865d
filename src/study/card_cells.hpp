// Cells that are motions on a card (gpu/motion_runner.hpp). One thread of the job drives the card; the others compute, by the full
// engine, the motions that leave it. Cells have the same bits either way.
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

struct CardJob {
  std::string unit;            // device_code()
  int inputs = 0, results = 0; // of a motion; results: the width of the cells
  std::vector<double> common;
  std::function<void(long index, double* inputs)> fill;
};

class CardCells {
 public:
  CardCells(std::shared_ptr<MotionDevice> device, CardJob job) : device_(std::move(device)), job_(std::move(job)) {}

  // Called once in each thread of a job (CellJob::lanes). alone: makes what computes a cell by the processor.
  void work(CellFeed& feed, const StopFlag& stop, const std::function<CellFunction(const StopFlag&)>& alone);

  long left() const { return left_; }  // motions that left the card

 private:
  void drive(CellFeed& feed, const StopFlag& stop);
  void compute_those_that_left(CellFeed& feed, const StopFlag& stop,
                               const std::function<CellFunction(const StopFlag&)>& alone);
  long next_that_left(const StopFlag& stop);  // -1: there are no more

  std::shared_ptr<MotionDevice> device_;
  CardJob job_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<long> leaving_;
  bool driven_ = false, over_ = false;  // some thread drives the card; it is done
  long left_ = 0;
};

}  // namespace armature::internal
