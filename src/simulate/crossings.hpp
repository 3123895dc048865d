// Zeros of the functions of Equations::events, located on the dense output of each step and put on the manifold. They do
// not change the motion; they are listed.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/step.hpp"
#include "simulate/outcome.hpp"
#include "simulate/zero_search.hpp"

namespace armature {

class Crossings {
 public:
  explicit Crossings(Dynamics& dynamics);
  bool any() const { return value_.size() > 0; }
  void begin(double t, const Eigen::VectorXd& x);
  void restart() { smooth_ = false; }  // the laws of the motion have changed

  // Sign changes between the last time and `until`, inside a step, in the order of time.
  void find(const Step& step, double until, std::vector<RunEvent>& events);

 private:
  bool stays_away(const Step& step, double until);                                 // from zero, in a step
  bool keeps_signs(const Step& step, double until);                                // at all probes
  bool apart_from_zero(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;  // and end_
  void evaluate(double t);                                                         // at x_, into value_
  void evaluate_on(const Step& step, double t);
  double locate(const Step& step, Eigen::Index k, SearchPoint before, SearchPoint after);

  Dynamics& dynamics_;
  double t_ = 0;
  Eigen::VectorXd value_, x_;
  Eigen::VectorXd before_, last_, end_;  // values at the ends of steps; of the one that is looked at
  bool smooth_ = false;                  // from `before` on
};

}  // namespace armature
