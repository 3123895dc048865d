// Ctrl-C (SIGINT) and SIGTERM ask a run to stop at its next step; a second one ends the program at once.
#pragma once

#include <csignal>

namespace armature::internal::cli {

class Interrupt {
 public:
  Interrupt();   // takes the signals
  ~Interrupt();  // gives them back
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;

 private:
  struct sigaction previous_interrupt_ {};
  struct sigaction previous_terminate_ {};
};

}  // namespace armature::internal::cli
