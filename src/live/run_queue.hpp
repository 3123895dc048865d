// Runs of many pages on a few threads of their own, so that requests are answered while machines move. A page has one run:
// a newer one ends it and takes over its thread.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace armature::internal {

struct RunQueueSettings {
  int threads = 16;  // shared fairly by the system: of more long runs than these, some wait for others to end
  std::size_t pages = 1000;
  std::chrono::milliseconds patience{150'000};  // a page that asks for nothing is forgotten; browsers ask once a minute
};

class RunQueue {
 public:
  using Progress = std::function<bool(double t, double end)>;  // false: the run is to end
  using Run = std::function<std::string(const Progress&)>;     // returns the answer

  explicit RunQueue(const RunQueueSettings& settings = {});
  ~RunQueue();
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // In place of what the page has under way. Returns the number of the run, from 1; nothing: there are too many pages.
  std::optional<long> begin(const std::string& page, Run run);

  struct State {
    bool running = false, waiting = false;  // waiting: for a thread
    double t = 0, end = 0;                  // s
  };
  State state(const std::string& page);

  // The answer of a run; null while there is none. Waits for it at most that long.
  struct Answer {
    bool superseded = false;  // by a newer run, or forgotten
    std::shared_ptr<const std::string> text;
  };
  Answer answer(const std::string& page, long number, std::chrono::milliseconds wait = {});

  void stop(const std::string& page);  // the run ends with what it has; one that waits is superseded by none
  void close();                        // all runs end, and so does all waiting

 private:
  using Clock = std::chrono::steady_clock;
  struct Page {
    std::atomic<long> latest = 0, stopped = 0;  // runs up to `stopped` are asked to end
    std::atomic<double> t = 0, end = 0;
    std::atomic<Clock::time_point> seen = Clock::now();
    std::optional<Run> next;
    bool running = false, waiting = false;
    std::shared_ptr<const std::string> text;  // of the latest run
  };
  using PagePointer = std::shared_ptr<Page>;

  PagePointer find(const std::string& name);  // null: not known; the mutex is held
  void forget_the_silent();
  bool forgotten(const Page& page) const;
  void work();
  void run(const PagePointer& page, std::unique_lock<std::mutex>& lock);

  RunQueueSettings settings_;
  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  std::map<std::string, PagePointer> pages_;
  std::deque<PagePointer> waiting_;
  std::atomic<bool> closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace armature::internal
