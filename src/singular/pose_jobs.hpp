// Jobs of a map of poses: their cells are numbered one after the other through all waves, and threads keep their closers from
// one wave to the next.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "singular/pose_closing.hpp"
#include "study/cells.hpp"

namespace armature::internal {

class PoseJobs {
 public:
  using Closing = std::function<void(PoseCloser&, long index, std::span<double> row)>;
  PoseJobs(const PoseMachine& machine, int width, CellRunner runner)
      : machine_(machine), width_(width), runner_(std::move(runner)) {}

  // The next cells, rows zero where `closing` writes nothing; false: stopped.
  bool compute(long count, const Closing& closing, CellTable& table) {
    const CellJob job{count, width_, [&](const StopFlag&) -> CellFunction {
                        auto closer = take();
                        return [closer, &closing](long index, std::span<double> row) {
                          std::fill(row.begin(), row.end(), 0.0);
                          closing(*closer, index, row);
                          return true;
                        };
                      }};
    table = runner_(job, done_);
    done_ += count;
    return table.missing() == 0;
  }

  long done() const { return done_; }

  // Given back when the last holder lets go.
  std::shared_ptr<PoseCloser> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) free_.push_back(std::make_unique<PoseCloser>(machine_));
    PoseCloser* closer = free_.back().release();
    free_.pop_back();
    return {closer, [this](PoseCloser* back) {
              const std::lock_guard lock(mutex_);
              free_.emplace_back(back);
            }};
  }

 private:
  const PoseMachine& machine_;
  int width_;
  CellRunner runner_;
  long done_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<PoseCloser>> free_;
};

}  // namespace armature::internal
