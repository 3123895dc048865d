#include "study/cells.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

#include "expression/interruption.hpp"
#include "record/usable_cores.hpp"
#include "study/cell_store.hpp"

namespace armature::internal {

namespace {

constexpr auto progress_interval = std::chrono::milliseconds(30);  // who stops the job waits so long at most
constexpr auto poll_interval = std::chrono::milliseconds(5);       // of the journals of other processes

// The cells that this process takes, chunk by chunk, each cell once. A process of a team begins at a place of its own, so
// that they meet late.
class Queue {
 public:
  Queue(CellTable& table, CellStore* store, long first) : table_(table), store_(store), first_(first) {
    const Team team = store ? store->team() : Team{};
    chunk_ = std::clamp(table.count() / (64L * team.size), 1L, 1024L);
    chunks_ = (table.count() + chunk_ - 1) / chunk_;
    start_ = chunks_ * team.rank / team.size;
  }

  // -1: there is none left that another process has not taken.
  long next() {
    const std::lock_guard lock(mutex_);
    for (;;) {
      while (at_ < end_)
        if (const long index = at_++; !table_.done[static_cast<std::size_t>(index)]) return index;
      if (visited_ == chunks_) return -1;
      enter((start_ + visited_++) % chunks_);
    }
  }

  // Another look at all chunks: some process may have died.
  void look_again() { visited_ = 0; }

 private:
  void enter(long chunk) {
    const long begin = chunk * chunk_, end = std::min(begin + chunk_, table_.count());
    const auto done = table_.done.begin();
    if (std::find(done + begin, done + end, 0) == done + end) return;
    if (store_ && !store_->take(first_ + begin)) return;
    if (store_) {
      store_->refresh();  // who had it before may have finished some of it
      store_->fill(table_, first_);
    }
    at_ = begin;
    end_ = end;
  }

  CellTable& table_;
  CellStore* store_;
  long first_, chunk_ = 1, chunks_ = 0, start_ = 0, visited_ = 0, at_ = 0, end_ = 0;
  std::mutex mutex_;
};

// The threads of one job.
class Crew {
 public:
  Crew(const CellJob& job, const CellOptions& options, CellTable& table)
      : job_(job), options_(options), table_(table), queue_(table, options.store, options.first) {}

  void run() {
    if (options_.store) options_.store->fill(table_, options_.first);
    work_in_threads();
    while (options_.store && !options_.store->team().alone() && !stop_ && !complete()) {
      std::this_thread::sleep_for(poll_interval);
      queue_.look_again();
      work_in_threads();
    }
  }

 private:
  void work_in_threads() {
    done_ = table_.count() - table_.missing();
    running_ = threads();
    std::vector<std::thread> crew;
    start_threads(crew);
    watch();
    for (std::thread& thread : crew) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

  // As many as the system gives; without any there is nothing to be done.
  void start_threads(std::vector<std::thread>& crew) {
    const int wanted = running_;
    crew.reserve(static_cast<std::size_t>(wanted));
    for (int k = 0; k < wanted; ++k) try {
        crew.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        if (crew.empty()) throw;
        const std::lock_guard lock(mutex_);
        running_ -= wanted - k;
        return;
      }
  }

  int threads() const {
    if (job_.one_thread) return 1;
    const int here = options_.store ? options_.store->team().here : 1;
    const long wanted = options_.threads > 0 ? options_.threads : std::max(1, usable_cores() / here);
    return static_cast<int>(std::clamp(table_.missing(), 1L, wanted));
  }

  bool complete() {
    options_.store->refresh();
    options_.store->fill(table_, options_.first);
    return table_.missing() == 0;
  }

  void work() {
    const Interruption interruption([this] { return stop_.load(); });
    try {
      Feed feed(*this);
      if (job_.lanes)
        job_.lanes(feed, stop_);
      else
        one_by_one(feed);
    } catch (const Interrupted&) {  // what it had begun is not kept
    } catch (...) {
      keep_error();
    }
    const std::lock_guard lock(mutex_);
    --running_;
    changed_.notify_one();
  }

  void flush() try { options_.store->flush(); } catch (...) {
    keep_error();
  }
  void keep_error() {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }

  class Feed final : public CellFeed {
   public:
    explicit Feed(Crew& crew) : crew_(crew) {}
    long next() override { return crew_.stop_ ? -1 : crew_.queue_.next(); }
    std::span<double> row(long index) override { return crew_.table_.row(index); }
    void finish(long index) override { crew_.finish(index); }

   private:
    Crew& crew_;
  };

  void one_by_one(CellFeed& feed) {
    CellFunction cell;
    for (long index; (index = feed.next()) >= 0;) {
      if (!cell) cell = job_.worker(stop_);
      if (cell(index, feed.row(index))) feed.finish(index);
    }
  }

  void finish(long index) {
    if (options_.store) options_.store->append(options_.first + index, table_.row(index));
    table_.done[static_cast<std::size_t>(index)] = 1;
    ++done_;
  }

  // Reports the progress at intervals and once more when all threads have ended.
  void watch() {
    for (bool running = true; running;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, progress_interval, [this] { return running_ == 0; });
        running = running_ > 0;
      }
      if (options_.store) flush();
      if (options_.progress && !report()) stop_ = true;
    }
  }

  // A cell that is done has done all its parts, however many it needed.
  bool report() const {
    const long count = job_.parts * job_.count, finished = job_.parts * done_;
    if (!job_.parts_done) return options_.progress(finished, count);
    return options_.progress(std::clamp(job_.parts_done->load(), finished, count), count);
  }

  const CellJob& job_;
  const CellOptions& options_;
  CellTable& table_;
  Queue queue_;
  StopFlag stop_ = false;
  std::atomic<long> done_ = 0;
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

CellTable run_cells(const CellJob& job, const CellOptions& options) {
  CellTable table(job.count, job.width);
  Crew(job, options, table).run();
  return table;
}

}  // namespace armature::internal
