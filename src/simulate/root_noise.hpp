// What round-off makes of a root and of its rate: below that their signs say nothing. Constraints hold to about 1e-12 of the
// coordinates they bind, and so do accelerations; with differences of the root over just these errors,
//
//   of the root  max_i |rho(x + delta_i e_i) - rho(x)|,   delta_i = 1e-12 (1 + |x_i|), and of time what zeros are found to
//   of its rate  1e-12 max |vdot| sum_i |d rho/d v_i|
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "system/state.hpp"

namespace armature {

class RootNoise {
 public:
  explicit RootNoise(Dynamics& dynamics);

  void take(const State& state);  // at a state; the modes stay as they are
  double of_root(int k) const { return of_root_[k]; }
  double of_rate(int k) const;  // with the last acceleration of the dynamics

 private:
  Dynamics& dynamics_;
  std::vector<int> matter_;  // entries of x that the roots depend on
  Eigen::VectorXd x_, root_, moved_, of_root_, slope_;
};

}  // namespace armature
