// Zeros of the functions of Equations::events, located on the dense output of each step and put on the manifold. They do
// not change the motion; they are listed.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "events/path_ranges.hpp"
#include "events/run_event.hpp"
#include "integrate/step.hpp"
#include "step/zero_crossings.hpp"
#include "step/zero_search.hpp"

namespace armature::internal {

class Crossings {
 public:
  explicit Crossings(Dynamics& dynamics);
  bool any() const { return value_.size() > 0; }
  void begin(double t, const Eigen::VectorXd& x);

  // Sign changes between the last time and `until`, inside a step, in the order of time.
  void find(const Step& step, double until, std::vector<RunEvent>& events);

 private:
  int guard_count() const { return static_cast<int>(guards_.size()); }
  void put_guards(const Step& step, double until);
  void evaluate(double t);  // at x_, into value_
  void evaluate_on(const Step& step, double t);
  double add_first(const Step& step, const step::StepPart& part, std::vector<RunEvent>& events);  // its time
  void add(const Step& step, double t, int function, std::vector<RunEvent>& events);
  double locate(const Step& step, int function, step::SearchPoint before, step::SearchPoint after);

  Dynamics& dynamics_;
  PathRanges ranges_;
  step::ZeroCrossings<PathRanges> zeros_;
  std::vector<step::Guard> guards_;
  double t_ = 0;
  Eigen::VectorXd value_, x_;
  Eigen::VectorXd end_;   // at the end of what is looked at
  Eigen::VectorXd sign_;  // of the functions there they are now; 0: exactly zero
};

}  // namespace armature::internal
