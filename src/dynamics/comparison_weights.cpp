#include "dynamics/comparison_weights.hpp"

#include <algorithm>

namespace armature::internal {

ComparisonWeights::ComparisonWeights(SystemEvaluator& evaluator)
    : evaluator_(evaluator),
      sliding_(evaluator.system()),
      weights_(Eigen::VectorXd::Zero(evaluator.system().layout().nw)),
      solved_x_(Eigen::VectorXd::Zero(evaluator.system().layout().nx())) {}

void ComparisonWeights::set(const State& state) {
  weights_ = state.w;
  sliding_.set(state.comparisons);
  forget_solution();
}

void ComparisonWeights::set_weight(int comparison, double weight) {
  weights_[comparison] = weight;
  evaluator_.set_outcomes(weights_);
  forget_solution();
}

void ComparisonWeights::take_signs(double t, const double* x) {
  evaluator_.set(t, x);
  take_signs();
}

bool ComparisonWeights::solve(double t, const double* x, const Eigen::VectorXd& vdot,
                              const std::function<bool()>& accelerate) {
  if (!slide()) return accelerate();
  note_solved(t, x);
  return sliding_.solve(evaluator_, vdot, weights_, accelerate);
}

void ComparisonWeights::note_solved(double t, const double* x) {
  solved_t_ = t, solved_x_ = Eigen::Map<const Eigen::VectorXd>(x, solved_x_.size());
}

bool ComparisonWeights::are_solved_at(double t, const double* x) const {
  return t == solved_t_ && std::equal(x, x + solved_x_.size(), solved_x_.data());
}

}  // namespace armature::internal
