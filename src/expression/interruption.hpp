// Whether a long computation is still wanted. Whoever starts one says how that is asked; compiling and recording ask now
// and then, in whatever thread they run, without being handed anything.
#pragma once

#include <functional>
#include <stdexcept>

namespace armature::internal {

// The computation was given up where it stood.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("stopped") {}
};

// As long as it lives, computations of this thread ask `stop`; it may be asked from other threads of theirs, too.
class Interruption {
 public:
  using Stop = std::function<bool()>;  // true: nobody wants the result any more
  // ended: called where abandonable work of this thread has ended; who is asked may have drawn something.
  explicit Interruption(Stop stop, std::function<void()> ended = {});
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static Stop current();  // of this thread, to be handed to another one; empty: none

 private:
  friend class Abandonable;
  friend bool interrupted();

  Stop stop_;
  std::function<void()> ended_;
  const Interruption* before_;
};

// Work that may be given up wherever it stands, since nothing of it is kept: reading and compiling a model.
class Abandonable {
 public:
  Abandonable();
  ~Abandonable();
  static bool now();  // whether the work of this thread is
  Abandonable(const Abandonable&) = delete;
  Abandonable& operator=(const Abandonable&) = delete;

 private:
  bool before_;
};

bool interrupted();
// For loops of short pieces of work: asks after some milliseconds of it. operations: of this piece, a nanosecond each.
bool interrupted_after(long operations);
void stop_if_interrupted();  // throws Interrupted where the work of this thread may be given up

}  // namespace armature::internal
