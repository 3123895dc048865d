#include "record/block_thread.hpp"

#include <chrono>
#include <utility>

namespace armature {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

BlockThread::BlockThread(std::size_t many, double interval, Work work)
    : many_(many), interval_(interval), work_(std::move(work)), last_time_(now()) {}

BlockThread::~BlockThread() {
  try {
    finish();
  } catch (...) {  // nobody is left to be told
  }
}

void BlockThread::added() {
  if (filled_.size() >= many_ || now() - last_time_ > interval_) hand_over();
}

void BlockThread::hand_over() {
  if (!thread_.joinable()) thread_ = std::thread([this] { work_through(); });
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_.empty(); });
    waiting_.swap(filled_);
  }
  changed_.notify_all();
  rethrow();
  last_time_ = now();
}

void BlockThread::work_through() {
  std::vector<double> block;
  bool failed = false;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !waiting_.empty() || last_; });
      if (waiting_.empty()) return;
      block.swap(waiting_);
    }
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
  } else if (!filled_.empty()) {
    const std::vector<double> block = std::exchange(filled_, {});
    work_(block);
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

}  // namespace armature
