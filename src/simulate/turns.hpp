// When the references from which angles of cut joints are unwrapped must follow the motion (mechanics/cut_joints.cpp):
// before an angle is half a turn away from its own. By what coordinates can turn it (turn_bounds.hpp) nothing is to be done
// until these have moved by `share`. A step in which the angle itself turns much further has to be shorter.
#pragma once

#include "dynamics/configuration.hpp"
#include "integrate/step.hpp"
#include "simulate/turn_bounds.hpp"

namespace armature {

class Turns {
 public:
  explicit Turns(const Prepared& prepared);
  bool due(const Eigen::VectorXd& x);  // the references are to follow now
  // Whether an angle was more than half a turn away from its reference somewhere in the step that began at a state.
  bool too_far(const State& start, const Step& step, SystemEvaluator& evaluator);
  // Of the next step, which is meant to be of length h, so that it need not be taken again; infinite: that is no matter.
  double longest_step(const State& state, double h, SystemEvaluator& evaluator);

 private:
  static constexpr double share = 0.5;  // rad, m: a turn of at most 1 rad
  bool moved(const Eigen::VectorXd& x) const;
  template <class Change>
  double longest_way(const Change& change) const;                                       // of all lists
  double fastest(const State& state, double longest_rate, SystemEvaluator& evaluator);  // rad/s, of the references

  std::shared_ptr<const TurnBounds> bounds_;
  Eigen::VectorXd from_;  // positions at which the references followed
  Configuration configuration_;
  Eigen::VectorXd qdot_, beside_, reference_, reference_beside_;
  double most_;       // turn of one step, rad: with `share` before it the angle stays within half a turn
  bool far_ = false;  // coordinates moved by more than that in the last step
};

}  // namespace armature
