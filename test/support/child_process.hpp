// A command with a limit of time: interrupted when the limit has come, killed when it does not obey.
#pragma once

#include <csignal>
#include <string>
#include <vector>

namespace armature::internal {

struct ChildResult {
  int code = -1;             // exit code; -1: ended by a signal
  int signal = 0;            // 0: ended by itself
  bool interrupted = false;  // the limit had come
  bool killed = false;       // and the signal did not end it in time
  double seconds = 0;
};

// Times are those of the processor, so that a machine that is busy elsewhere does not change a verdict; a child that sleeps is
// given up after ten times as long, and after five minutes at least.
struct ChildLimits {
  double seconds = 5;      // then `signal`
  double grace = 3;        // s, then SIGKILL
  int signal = SIGINT;     // or SIGTERM
  std::size_t memory = 0;  // bytes of address space; 0: no limit
};

// Runs a program in a folder; its output goes to the files `out` and `err` there.
ChildResult run_child(const std::vector<std::string>& command, const std::string& folder,
                      const ChildLimits& limits = {});

}  // namespace armature::internal
