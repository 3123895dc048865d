// One line on a terminal that is drawn over itself: simulated time, percent, steps per second, time remaining. Silent where
// stderr is not a terminal.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace armature::internal::cli {

class ProgressBar {
 public:
  ProgressBar(double start, double end);  // simulated time, s
  ~ProgressBar() { wipe(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(double t, long steps);
  void wipe();                                                        // the line, for another to be printed there
  void show(const std::function<std::string(double elapsed)>& line);  // any line, drawn as often as the others

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due() const;
  double elapsed() const;  // s
  void draw(const std::string& line);
  double recent_pace(double t);  // simulated time per second

  double start_, end_;
  std::deque<std::pair<double, double>> lately_;  // elapsed and simulated time of the last drawings
  bool terminal_, drawn_ = false;
  Clock::time_point began_, last_draw_;
};

// "|#####-----|  50 %  t = 2.5 of 5 s  0:03 left  12000 steps/s"
// `recent`: simulated time per second lately, which may be much less than before; negative: as ever.
std::string progress_line(double start, double end, double t, long steps, double elapsed, int columns,
                          double recent = -1);
// "|#####-----|  50 %  map: 500 of 1000 cells  0:03 left"; `before` of them were done when the time began
std::string cells_line(const std::string& what, long before, long done, long count, double elapsed, int columns);

}  // namespace armature::internal::cli
