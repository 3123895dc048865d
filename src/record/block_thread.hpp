// A thread that works through numbers which another one hands over in blocks, when there are many or some time has passed.
// There are three blocks: one that is filled, one that waits, one in work. Whoever is ahead waits for the other, memory does
// not grow, and from the fourth block on nothing is allocated.
//
// The thread starts with the first block that is handed over; fewer numbers are worked through by finish() alone.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace armature {

class BlockThread {
 public:
  using Work = std::function<void(const std::vector<double>& block)>;

  // many: numbers, at which a block is handed over; interval: s, after which it is anyway.
  BlockThread(std::size_t many, double interval, Work work);
  ~BlockThread();  // finishes; what the work throws is lost
  BlockThread(const BlockThread&) = delete;
  BlockThread& operator=(const BlockThread&) = delete;

  std::vector<double>& block() { return filled_; }  // to be added to
  void added();                                     // hands over, if it is time
  void hand_over();                                 // these three throw what the work threw
  void finish();                                    // all is worked through, and the thread has ended

 private:
  void work_through();
  void rethrow();

  const std::size_t many_;
  const double interval_;
  const Work work_;
  std::vector<double> filled_;
  double last_time_;  // of a hand-over, s, steady clock
  std::thread thread_;

  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::vector<double> waiting_;
  std::exception_ptr error_;  // what the work threw; from then on blocks are dropped
  bool last_ = false;         // nothing follows
};

}  // namespace armature
