// The smallest rank of Phi along a run, between its steps too: it may be lost for a moment in which nothing is evaluated.
// The smallest pivot of the accelerations (a sine) falls and rises there like |t - t1|. A step is looked into where that fall,
// continued from the two steps before, would reach zero; the minimum of its square is found by parabolas on the dense output,
// put on the manifold. Pivots below Regularity::singular are lost.
#pragma once

#include <Eigen/Core>

#include "dynamics/dynamics.hpp"
#include "integrate/step.hpp"
#include "linear/kinetic_rows.hpp"

namespace armature::internal {

class RankDips {
 public:
  explicit RankDips(Dynamics& dynamics);
  bool any() const { return rank_ > 0; }

  // Between the last time and `until`, inside a step; pivot: the smallest at its end.
  void find(const Step& step, double until, double pivot);
  int smallest_rank() const { return smallest_rank_; }  // of the minima; -1: there was none

 private:
  double pivot_at(const Step& step, double t);  // 0: rank is lost
  bool still_falls(const Step& step, double from, double until);
  double time_of_minimum(const Step& step, double a, double b);

  struct End {
    double t = 0, pivot = 1;
  };
  Dynamics& dynamics_;
  int rank_;  // of Phi elsewhere
  SparseTerms terms_;
  KineticRows rows_;
  Eigen::VectorXd x_;
  End before_, last_, now_;  // of steps
  int smallest_rank_ = -1;
};

}  // namespace armature::internal
