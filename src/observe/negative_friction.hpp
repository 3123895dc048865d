// Dry friction that drives the motion instead of braking it: heat does not come back. A thousandth of the energy at hand is round-off and
// more, except where nothing has moved yet.
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
    return lost(x) > heat_error_;
  }
  void look(double t, const Eigen::VectorXd& x, double kinetic);
  Findings findings() const;

 private:
  double lost(const Eigen::VectorXd& x) const { return most_ - x[heat_]; }

  int heat_ = -1;                     // its place in x; -1: there is no friction
  double most_ = 0, heat_error_ = 0;  // so far, and what it may err by at rest, J
  std::optional<double> since_;       // when it decreased
};

}  // namespace armature::internal
