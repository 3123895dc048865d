// A run whose end is out of reach: at the pace of its last 10 000 steps more than 1e8 are still to come, which takes minutes
// at best and days where a step is dear. It goes on, but it is known, once and early, so that somebody can stop it. Who has a run
// go on to a pause cannot stop it before: there 1e6 steps are too many.
#pragma once

namespace armature::internal {

class Crawl {
 public:
  explicit Crawl(double start) : t_(start) {}

  // After a step; true only the first time that the end is out of reach. is_pause: of a piece of the run, not of the run.
  bool look(double t, long steps, double end, bool is_pause = false) {
    return steps >= next_look_ && judge(t, steps, end, is_pause);
  }

  bool known() const { return known_; }            // that the end is out of reach
  double t() const { return t_; }                  // when it was last judged, s
  double step() const { return step_; }            // mean length of those steps, s
  double end() const { return end_; }              // that was out of reach then, s
  double remaining() const { return remaining_; }  // steps until there

 private:
  bool judge(double t, long steps, double end, bool is_pause);

  static constexpr long interval = 10000;
  static constexpr double out_of_reach = 1e8;
  static constexpr double pause_out_of_reach = 1e6;
  double t_;  // when the last look was
  long next_look_ = interval;
  bool known_ = false;
  double step_ = 0, end_ = 0, remaining_ = 0;
};

}  // namespace armature::internal
