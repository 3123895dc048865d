// Dry friction that drives the motion instead of braking it: heat does not come back. A thousandth of the energy at hand is round-off and
// more, except where nothing has moved yet. Where something sticks, speeds that the tolerance allows turn friction into heat of either sign.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <optional>

#include "model/finding.hpp"
#include "system/system.hpp"

namespace armature::internal {

class NegativeFriction {
 public:
  explicit NegativeFriction(const System& system);
  void begin(const Eigen::VectorXd& x, const Eigen::VectorXd& atol);
  // At the end of a step: whether look() has something to look at.
  bool is_due(const Eigen::VectorXd& x) {
    if (heat_ < 0 || since_) return false;
    most_ = std::max(most_, x[heat_]);
    return lost(x) > allowed();
  }
  void look(double t, const Eigen::VectorXd& x, double kinetic, const Eigen::VectorXd& weights);
  Findings findings() const;

 private:
  double allowed() const { return sticks_ ? often * heat_error_ : heat_error_; }
  double lost(const Eigen::VectorXd& x) const { return most_ - x[heat_]; }

  static constexpr double often = 1000;  // tolerances: as of what a root may drift while it slides

  bool sticks_ = false;               // something, when it was looked at last
  int heat_ = -1;                     // its place in x; -1: there is no friction
  double most_ = 0, heat_error_ = 0;  // so far, and what it may err by at rest, J
  std::optional<double> since_;       // when it decreased
};

}  // namespace armature::internal
