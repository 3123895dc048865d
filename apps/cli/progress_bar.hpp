// One line on a terminal that is drawn over itself: simulated time, percent, steps a second, time remaining. Silent where
// stderr is not a terminal.
#pragma once

#include <chrono>
#include <string>

namespace armature::cli {

class ProgressBar {
 public:
  ProgressBar(double start, double end);  // simulated time, s
  ~ProgressBar();                         // wipes the line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double t, long steps);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double t, long steps, double elapsed);

  double start_, end_;
  bool terminal_, drawn_ = false;
  Clock::time_point began_, last_draw_;
};

// "|#####-----|  50 %  t = 2.5 of 5 s  12000 steps/s  0:03 left"
std::string progress_line(double start, double end, double t, long steps, double elapsed);

}  // namespace armature::cli
