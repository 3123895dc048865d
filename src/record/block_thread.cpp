#include "record/block_thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace armature::internal {

BlockThread::BlockThread(const Sizes& sizes, Work work)
    : sizes_(sizes), work_(std::move(work)), wanted_(sizes.some), some_(sizes.some) {
  filled_.reserve(room());
  waiting_.reserve(room());
}

BlockThread::~BlockThread() {
  try {
    finish();
  } catch (...) {  // nobody is left to be told
  }
}

void BlockThread::start() {
  if (!thread_.joinable()) thread_ = std::thread([this] { work_through(); });
}

void BlockThread::added() {
  start();
  if (filled_.size() >= wanted_.load(std::memory_order_relaxed)) hand_over();
}

void BlockThread::hand_over() {
  start();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty(); });
    waiting_.swap(filled_);
    wanted_ = sizes_.many;
    some_ = std::min(2 * some_, sizes_.many);
  }
  changed_.notify_all();
  rethrow();
}

void BlockThread::work_through() {
  std::vector<double> block;
  block.reserve(room());
  bool failed = false;
  while (take(block)) {
    changed_.notify_all();
    try {
      if (!failed) work_(block);
    } catch (...) {
      failed = true;
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
    }
    block.clear();
  }
}

bool BlockThread::take(std::vector<double>& block) {
  const auto known = [this] { return !waiting_.empty() || last_; };
  std::unique_lock lock(mutex_);
  if (!known()) wanted_ = some_;
  if (!changed_.wait_for(lock, std::chrono::duration<double>(sizes_.interval), known)) {
    wanted_ = 1;
    changed_.wait(lock, known);
  }
  block.swap(waiting_);
  return !block.empty();
}

void BlockThread::finish() {
  if (thread_.joinable()) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return waiting_.empty(); });
      waiting_.swap(filled_);
      last_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  rethrow();
}

void BlockThread::rethrow() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace armature::internal
