// Comparisons of speeds where a wanted motion stands still, those of dry friction among them. Their roots are zero there but for
// round-off, so that the signs of the roots say nothing. What is zero is decided as in step/root_noise.hpp, by round-off of the
// velocities.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "step/comparison.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class RestingComparisons {
 public:
  explicit RestingComparisons(const System& system);

  // By the machine's own length at the start, and the typical rate of the motion, 1/s.
  void measure(SystemEvaluator& evaluator, const State& start, double rate);
  // Those whose roots are zero at (t, x), with the outcomes and parameters that are set; t and x are set afterwards.
  std::vector<int> find(SystemEvaluator& evaluator, double t, const Eigen::VectorXd& x);

  // Below it the rate of a root that find() has found is round-off.
  double least_rate(int k) const;
  bool acts(int k) const { return acts_[static_cast<std::size_t>(k)]; }  // a force depends on its outcome
  bool any_acts() const;

 private:
  std::vector<int> of_speeds_;  // comparisons whose roots depend on velocities
  std::vector<char> acts_;
  std::vector<int> entries_;  // velocities on which they depend, in x
  int nq_, nv_;
  Eigen::VectorXd sizes_, x_, roots_;  // sizes: of the entries of x
  std::vector<step::Comparison> noise_;
};

}  // namespace armature::internal
