// Feeds a device with motions, call after call, until none is left. While a call goes on, what ended in the one before is taken, and motions
// for the next one are queued; a call lasts some hundredths of a second, so that progress is shown and Ctrl-C obeyed. Memory is bounded by the threads of the device, not by the
// number of motions.
#pragma once

#include <functional>
#include <vector>

#include "gpu/motion_device.hpp"

namespace armature::internal {

struct MotionFeed {
  static constexpr long none_left = -1, none_ready = -2;
  int inputs = 0, results = 0;  // numbers that a motion takes and gives
  std::vector<double> common;   // what all of them share
  Arithmetic arithmetic = Arithmetic::exact;
  // The number of a motion that has not begun; none_left: or nobody wants them. wait: not none_ready, since the device has nothing to do.
  std::function<long(bool wait)> next;
  std::function<void(long number, double* inputs)> fill;
  std::function<void(long number, const double* results)> take;
  std::function<void(long number)> leave;  // it met something rare: the processor computes it
  std::function<bool()> stopped;           // what is not done is not wanted any more
};

void run_motions(MotionProgram& program, const MotionFeed& feed);

}  // namespace armature::internal
