#include "gpu/motion_runner.hpp"

#include <algorithm>
#include <chrono>

#include "gpu/number_transfer.hpp"

namespace armature::internal {

namespace {

constexpr double shortest_call = 0.01, longest_call = 0.03;  // s
constexpr long most_steps = 1 << 20;

class MotionRunner {
 public:
  MotionRunner(MotionProgram& program, const MotionFeed& feed)
      : program_(program), feed_(feed), transfer_(program, feed.arithmetic), capacity_(4 * program.threads()) {
    const auto ended = static_cast<std::size_t>(capacity_ + program.threads());
    const auto bytes = [](std::size_t count, int numbers) { return std::max<std::size_t>(8, count * numbers * 8); };
    call_.common = array<double>(bytes(feed.common.size(), 1));
    inputs_there_ = array<double>(bytes(static_cast<std::size_t>(capacity_), feed.inputs));
    call_.inputs = static_cast<double*>(inputs_there_);
    call_.waiting = waiting_there_ = array<long long>(bytes(static_cast<std::size_t>(capacity_), 1));
    call_.results = array<double>(bytes(ended, feed.results));
    call_.ended = array<long long>(bytes(ended, 1));
    call_.taken = counters_there_ = array<unsigned long long>(sizeof counters_);
    call_.ended_count = call_.taken + 1;
    call_.slots = program.allocate(static_cast<std::size_t>(program.threads()) * program.slot_size());
    call_.steps = 16;
    transfer_.put(const_cast<double*>(call_.common), feed.common.data(), feed.common.size());
  }

  void run() {
    queue(true);
    while ((begun_ > 0 || waiting() > 0) && !feed_.stopped()) {
      start();
      take_ended();  // of the call before
      queue(false);
      wait();
      queue(begun_ == 0 && waiting() == 0);
    }
    if (!feed_.stopped()) take_ended();
  }

 private:
  template <class Number>
  Number* array(std::size_t bytes) {
    return static_cast<Number*>(program_.allocate(bytes));
  }

  long waiting() const { return queued_ - taken_ + static_cast<long>(numbers_.size()) - put_; }

  // Motions that go to the device with the next call. wait: one at least, where there is one.
  void queue(bool wait) {
    numbers_.erase(numbers_.begin(), numbers_.begin() + put_);
    inputs_.erase(inputs_.begin(), inputs_.begin() + put_ * feed_.inputs);
    put_ = 0;
    while (static_cast<long>(numbers_.size()) < program_.threads()) {
      const long number = feed_.next(wait && numbers_.empty());
      if (number < 0) return;
      numbers_.push_back(number);
      inputs_.resize(inputs_.size() + static_cast<std::size_t>(feed_.inputs));
      feed_.fill(number, inputs_.data() + inputs_.size() - feed_.inputs);
    }
  }

  // As many of them as there is room for.
  void put_queued() {
    const long count = std::min(static_cast<long>(numbers_.size()) - put_, capacity_ - (queued_ - taken_));
    for (long done = 0; done < count;) {
      const long place = (queued_ + done) % capacity_, some = std::min(count - done, capacity_ - place);
      transfer_.put(transfer_.at(inputs_there_, static_cast<std::size_t>(place * feed_.inputs)),
                    inputs_.data() + (put_ + done) * feed_.inputs, static_cast<std::size_t>(some * feed_.inputs));
      program_.put(waiting_there_ + place, numbers_.data() + put_ + done,
                   static_cast<std::size_t>(some) * sizeof(long long));
      done += some;
    }
    queued_ += count, put_ += count;
  }

  void start() {
    began_ = std::chrono::steady_clock::now();
    put_queued();
    counters_[0] = counters_[1] = 0;
    call_.capacity = capacity_, call_.first_waiting = taken_ % capacity_, call_.waiting_count = queued_ - taken_;
    program_.put(counters_there_, counters_, sizeof counters_);
    program_.start(call_);
  }

  void wait() {
    program_.wait();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    program_.get(counters_, counters_there_, sizeof counters_);
    const long taken = std::min(static_cast<long>(counters_[0]), queued_ - taken_);
    const auto ended = static_cast<std::size_t>(counters_[1]);
    taken_ += taken;
    begun_ += taken - static_cast<long>(ended);
    ended_.resize(ended), results_.resize(ended * static_cast<std::size_t>(feed_.results));
    program_.get(ended_.data(), call_.ended, ended * sizeof(long long));
    transfer_.get(results_.data(), call_.results, results_.size());
    choose_steps(seconds);
  }

  void choose_steps(double seconds) {
    if (seconds < shortest_call) call_.steps = std::min<long long>(2 * call_.steps, most_steps);
    if (seconds > longest_call) call_.steps = std::max<long long>(call_.steps / 2, 1);
  }

  void take_ended() {
    for (std::size_t k = 0; k < ended_.size(); ++k) {
      if (ended_[k] >= 0)
        feed_.take(static_cast<long>(ended_[k]), results_.data() + k * static_cast<std::size_t>(feed_.results));
      else
        feed_.leave(static_cast<long>(-1 - ended_[k]));
    }
    ended_.clear();
  }

  MotionProgram& program_;
  const MotionFeed& feed_;
  NumberTransfer transfer_;
  long capacity_;
  step::MotionCall call_{};
  void* inputs_there_ = nullptr;
  long long* waiting_there_ = nullptr;
  unsigned long long *counters_there_ = nullptr, counters_[2] = {};  // taken, ended
  std::vector<long long> numbers_, ended_;  // of motions that are queued here; of those that have ended
  std::vector<double> inputs_, results_;
  long put_ = 0;                 // of the queued motions, the first ones that were put on the device
  long queued_ = 0, taken_ = 0;  // all that were; of these, those that threads have taken
  long begun_ = 0;               // motions in slots
  std::chrono::steady_clock::time_point began_;
};

}  // namespace

void run_motions(MotionProgram& program, const MotionFeed& feed) { MotionRunner(program, feed).run(); }

}  // namespace armature::internal
