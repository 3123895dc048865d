#include "analysis/cells.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace armature {

namespace {

constexpr auto progress_interval = std::chrono::milliseconds(100);

// The threads of one job. Each takes the next index until there is none.
class Crew {
 public:
  Crew(const CellJob& job, CellTable& table) : job_(job), table_(table) {}

  void run(int threads, const CellProgress& progress) {
    running_ = threads;
    std::vector<std::thread> crew;
    for (int k = 0; k < threads; ++k) crew.emplace_back([this] { work(); });
    watch(progress);
    for (std::thread& thread : crew) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() {
    try {
      const CellFunction cell = job_.worker(stop_);
      for (long index = next_++; index < job_.count && !stop_; index = next_++)
        if (cell(index, table_.row(index))) finish(index);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  void finish(long index) {
    table_.done[static_cast<std::size_t>(index)] = 1;
    ++done_;
  }

  // Until all threads have ended.
  void watch(const CellProgress& progress) {
    std::unique_lock lock(mutex_);
    while (running_ > 0) {
      changed_.wait_for(lock, progress_interval);
      lock.unlock();
      if (progress && !progress(done_, job_.count)) stop_ = true;
      lock.lock();
    }
  }

  const CellJob& job_;
  CellTable& table_;
  StopFlag stop_ = false;
  std::atomic<long> next_ = 0, done_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;
  std::exception_ptr error_;
};

}  // namespace

CellTable::CellTable(long count, int width)
    : width(width),
      values(static_cast<std::size_t>(count * width), std::numeric_limits<double>::quiet_NaN()),
      done(static_cast<std::size_t>(count), 0) {}

long CellTable::missing() const { return std::count(done.begin(), done.end(), 0); }

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

CellTable run_cells(const CellJob& job, const CellOptions& options) {
  CellTable table(job.count, job.width);
  const long threads = options.threads > 0 ? options.threads : usable_cores();
  Crew(job, table).run(static_cast<int>(std::min(threads, std::max(1L, job.count))), options.progress);
  return table;
}

}  // namespace armature
