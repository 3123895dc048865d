// A run whose end is out of reach: at the pace of its last 10 000 steps more than 1e8 are still to come, which takes minutes
// at best and days where a step is dear. It goes on, but it is known, once and early, so that somebody can stop it.
#pragma once

namespace armature::internal {

class Crawl {
 public:
  explicit Crawl(double start) : t_(start) {}

  // After a step; true only the first time that the end is out of reach.
  bool look(double t, long steps, double end) { return steps >= next_look_ && judge(t, steps, end); }

  bool known() const { return known_; }            // that the end is out of reach
  double t() const { return t_; }                  // when it was last judged, s
  double step() const { return step_; }            // mean length of those steps, s
  double remaining() const { return remaining_; }  // steps

 private:
  bool judge(double t, long steps, double end);

  static constexpr long interval = 10000;
  static constexpr double out_of_reach = 1e8;
  double t_;  // when the last look was
  long next_look_ = interval;
  bool known_ = false;
  double step_ = 0, remaining_ = 0;
};

}  // namespace armature::internal
