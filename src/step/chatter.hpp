// Changes of comparisons that never end: a run that does not get on because of them has failed. Progress is measured against the
// length of the run: each of 200 changes in a row within 1e-12 of it, or a pace of 100 000 changes at which more than 1e8 would
// still follow.
#pragma once

#include "step/scalar.hpp"

namespace armature::step {

class Chatter {
 public:
  ARMATURE_STEP Chatter(double start, double end) : length_(end - start), end_(end), t_(start), counted_from_(start) {}

  // After a step that ends at t; change: it ends in a change of a comparison.
  ARMATURE_STEP void look(double t, bool change) {
    const bool stands = t - t_ < no_progress * larger(length_, absolute(t));
    without_progress_ = change && stands ? without_progress_ + 1 : 0;
    t_ = t;
    if (change && ++changes_ == interval) judge_pace();
  }

  ARMATURE_STEP bool endless() const { return without_progress_ > most_without_progress || out_of_reach_; }
  // Halfway there, or about to be judged: for a motion that leaves what happens then to the processor.
  ARMATURE_STEP bool nearly_endless() const {
    return without_progress_ > most_without_progress / 2 || changes_ > interval - interval / 100;
  }

 private:
  ARMATURE_STEP void judge_pace() {
    out_of_reach_ = out_of_reach_ || (end_ - t_) * interval > out_of_reach * (t_ - counted_from_);
    counted_from_ = t_;
    changes_ = 0;
  }

  static constexpr double no_progress = resolved(1e-12);
  static constexpr int most_without_progress = 200;
  static constexpr int interval = 100000;
  static constexpr double out_of_reach = 1e8;  // changes that nobody waits for
  double length_, end_, t_, counted_from_;
  int without_progress_ = 0, changes_ = 0;
  bool out_of_reach_ = false;
};

}  // namespace armature::step
