// Outcomes of comparisons while f is evaluated, one weight each. They are held until a run sets them again; or, where changes are not
// located, taken from the signs of the roots at every state; or, of comparisons that slide, solved there (sliding.hpp).
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>

#include "dynamics/sliding.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class ComparisonWeights {
 public:
  explicit ComparisonWeights(SystemEvaluator& evaluator);

  void set(const State& state);                               // its outcomes; t and x are not kept
  void set_weight(int comparison, double weight);             // of a sliding one, as found elsewhere
  void follow_roots(bool follow) { follow_roots_ = follow; }  // no event location: signs of the roots decide
  bool follows_roots() const { return follow_roots_ && weights_.size() > 0; }
  // Of a motion that lasts as long as the run, 1/s. At this rate a root that sticks a little off zero returns there.
  void set_rate(double rate) { sliding_.set_rate(rate); }
  double rate() const { return sliding_.rate(); }

  bool slide() const { return sliding_.any(); }                // some do
  int single_sliding() const { return sliding_.single(); }     // the only one that slides; -1: there is none such
  const Eigen::VectorXd& weights() const { return weights_; }  // of the comparisons, sliding ones as solved

  void take_signs(double t, const double* x);
  // At the inputs that are set in the evaluator.
  void take_signs() { evaluator_.take_outcomes(weights_); }
  // The acceleration vdot with the weights of what slides. accelerate: solves it with those that are set.
  bool solve(double t, const double* x, const Eigen::VectorXd& vdot, const std::function<bool()>& accelerate);

  void note_solved(double t, const double* x);          // by the step kernel
  bool are_solved_at(double t, const double* x) const;  // those that slide, by what was evaluated last

 private:
  void forget_solution() { solved_t_ = std::numeric_limits<double>::quiet_NaN(); }

  SystemEvaluator& evaluator_;
  Sliding sliding_;
  Eigen::VectorXd weights_;
  bool follow_roots_ = false;
  double solved_t_ = std::numeric_limits<double>::quiet_NaN();  // where weights of sliding modes were solved last
  Eigen::VectorXd solved_x_;
};

}  // namespace armature::internal
