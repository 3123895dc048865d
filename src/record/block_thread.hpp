// A thread that works through numbers which another one hands over in blocks: when there are many, when there are some and
// nothing is in work, or when nothing has come for a while. Handing over wakes the other, which costs as much as many a step
// of a simulation; adding a number takes neither a lock nor a look at the clock.
//
// There are three blocks: one that is filled, one that waits, one in work. Whoever is ahead waits for the other, memory does
// not grow, and nothing is allocated on the way.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace armature::internal {

class BlockThread {
 public:
  using Work = std::function<void(const std::vector<double>& block)>;

  struct Sizes {
    std::size_t some;  // numbers, at which a block is handed over to a thread that waits; each time twice as many
    std::size_t many;  // to one that is at work, and at most
    double interval;   // s, after which a thread that waits takes any number
  };
  BlockThread(const Sizes& sizes, Work work);
  ~BlockThread();  // finishes; what the work throws is lost
  BlockThread(const BlockThread&) = delete;
  BlockThread& operator=(const BlockThread&) = delete;

  std::vector<double>& block() { return filled_; }  // to be added to
  void added();                                     // hands over, if it is time
  void hand_over();                                 // this, added() and finish() throw what the work threw
  void finish();                                    // all is worked through, and the thread has ended

 private:
  std::size_t room() const { return 2 * sizes_.many; }  // of a block, for what is added at once beyond `many`
  void start();
  void work_through();
  bool take(std::vector<double>& block);  // false: nothing follows
  void rethrow();

  const Sizes sizes_;
  const Work work_;
  std::vector<double> filled_;
  std::atomic<std::size_t> wanted_;  // numbers, at which the next block is handed over
  std::thread thread_;               // starts with the first number

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<double> waiting_;
  std::size_t some_;          // numbers that are handed over to a thread that waits, from now on
  std::exception_ptr error_;  // what the work threw; from then on blocks are dropped
  bool last_ = false;         // nothing follows
};

}  // namespace armature::internal
