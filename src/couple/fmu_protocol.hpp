// What the program and the process of one FMU (apps/fmu_host) share: a piece of memory through which they exchange values, and how one
// tells the other that it is its turn. Both are built from this file at the same time.
//
// One side asks and the other answers, in turns; each turn has the next number. Whoever waits looks at the number for a moment, since
// most answers come within microseconds, and then sleeps on an eventfd, which the other side writes only if somebody sleeps there. Where
// both have to share a processor, looking only keeps the other from answering: see Patience.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace armature::fmu_protocol {

inline constexpr const char* program_name = "armature-fmu-host";

// Descriptors of the process of the FMU.
enum Descriptor : int {
  memory_descriptor = 3,
  asked_descriptor = 4,     // eventfds
  answered_descriptor = 5,  //
  life_descriptor = 6,      // a pipe that closes when the program ends
  descriptors = 7,
};

class Turn {
 public:
  void announce(std::uint32_t number, int eventfd) {
    number_.store(number);
    if (!sleeps_.load()) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(eventfd, &one, sizeof one);
  }
  bool has_come(std::uint32_t number) const { return number_.load() == number; }

  // Sleeps until it has come, something happens at another descriptor, a signal arrives or the time is over. files[0]: the eventfd.
  template <class Files>
  void sleep(std::uint32_t number, Files& files, int milliseconds) {
    sleeps_.store(1);
    if (!has_come(number) && poll(files.data(), files.size(), milliseconds) > 0 && files[0].revents) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const auto taken = read(files[0].fd, &ignored, sizeof ignored);
    }
    sleeps_.store(0);
  }

 private:
  std::atomic<std::uint32_t> number_{0}, sleeps_{0};
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
};

// Of one that waits. If looking for a moment was in vain, it sleeps at once for some turns and then tries again.
class Patience {
 public:
  // True: the turn has come.
  bool look(const Turn& turn, std::uint32_t number) {
    constexpr int turns_asleep = 64;
    if (turn.has_come(number)) return true;
    if (asleep_ > 0) return --asleep_, false;
    const bool has_come = look_for_a_moment(turn, number);
    if (!has_come) asleep_ = turns_asleep;
    return has_come;
  }

 private:
  static bool look_for_a_moment(const Turn& turn, std::uint32_t number) {
    constexpr std::chrono::microseconds moment{20};
    constexpr int looks = 64;  // at the number, for one at the clock
    const auto until = std::chrono::steady_clock::now() + moment;
    do {
      for (int k = 0; k < looks; ++k) {
        if (turn.has_come(number)) return true;
        rest();
      }
    } while (std::chrono::steady_clock::now() < until);
    return false;
  }
  static void rest() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  int asleep_ = 0;  // turns for which it will sleep at once
};

enum class Command : std::int32_t { load, exchange, initialize, step, end };

// What the FMU does, as far as it got: its last answer, or where its process ended.
enum class Deed : std::int32_t { load, instantiate, set, get, setup, begin_initialization, initialize, step, free };

// Statuses of the standards are numbers from 0; these are ours.
enum class Verdict : std::int32_t {
  done,        // every call succeeded
  refused,     // a call returned `status`
  not_loaded,  // no library, or a function is missing: see `text`
  terminated,  // the FMU asks for the end of the simulation
};

enum class ValueType : std::int32_t { real, integer, boolean };

struct Value {
  std::uint32_t reference = 0;
  ValueType type = ValueType::real;
  double number = 0;
};

inline constexpr int text_size = 1000;

struct Memory {
  Turn asked, answered;

  Command command = Command::load;
  double t = 0, length = 0;  // of a step; of the initialization: its start and its end
  std::uint32_t given = 0;   // values[0] to values[given - 1] are set,
  std::uint32_t taken = 0;   // and so many after them are read
  Verdict verdict = Verdict::done;
  std::int32_t status = 0;  // of the last call
  Deed deed = Deed::load;
  std::uint32_t value = 0;     // that is set or read
  double last = 0;             // time at which the FMU ends the simulation
  std::uint32_t warnings = 0;  // logged so far
  char text[text_size] = {};   // the last error or warning, or why nothing was loaded; ends with a zero

  Value* values() { return reinterpret_cast<Value*>(this + 1); }
};

inline std::size_t memory_size(std::size_t values) { return sizeof(Memory) + values * sizeof(Value); }

}  // namespace armature::fmu_protocol
