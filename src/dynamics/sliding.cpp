#include "dynamics/sliding.hpp"

#include "step/lost_weights.hpp"

namespace armature::internal {

namespace {

constexpr int most_corrections = 20;  // where accelerations are not affine in the weights

}  // namespace

Sliding::Sliding(const System& system)
    : all_(system.equations().graph->comparisons()), affine_(system.equations().loads.empty()) {
  roots_ = rates_ = Eigen::VectorXd::Zero(system.layout().nw);
  comparisons_.reserve(system.layout().nw);
}

void Sliding::set(const std::vector<ComparisonStatus>& comparisons) {
  const std::size_t before = comparisons_.size();
  comparisons_.clear();
  for (std::size_t k = 0; k < comparisons.size(); ++k) {
    if (comparisons[k] == ComparisonStatus::sliding) comparisons_.push_back(static_cast<int>(k));
  }
  if (comparisons_.size() == before) return;
  const int n = static_cast<int>(comparisons_.size());
  residual_ = other_ = step_ = before_ = Eigen::VectorXd::Zero(n);
  J_ = Eigen::MatrixXd::Zero(n, n);
  unit_ = Eigen::MatrixXd::Identity(n, n);
  rows_.resize(n, n);
}

// Of the sliding modes, with the weights w.
bool Sliding::find_residual(SystemEvaluator& evaluator, const Eigen::VectorXd& vdot, const Eigen::VectorXd& w,
                            const std::function<bool()>& accelerate, Eigen::VectorXd& result) {
  evaluator.set_outcomes(w);
  if (!accelerate()) return false;
  evaluator.root_rates(vdot, rates_);
  for (std::size_t i = 0; i < comparisons_.size(); ++i)
    result[i] = rates_[comparisons_[i]] + rate_ * roots_[comparisons_[i]];
  return result.allFinite();
}

bool Sliding::solve(SystemEvaluator& evaluator, const Eigen::VectorXd& vdot, Eigen::VectorXd& w,
                    const std::function<bool()>& accelerate) {
  // the residual with weights of 1/2, and its slopes
  for (const int comparison : comparisons_) w[comparison] = 0.5;
  evaluator.set_outcomes(w);
  evaluator.roots(roots_);
  if (!find_residual(evaluator, vdot, w, accelerate, residual_)) return false;
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    w[comparisons_[i]] = 1;
    if (!find_residual(evaluator, vdot, w, accelerate, other_)) return false;
    w[comparisons_[i]] = 0.5;
    J_.col(i) = 2 * (other_ - residual_);
  }
  // One comparison: the same numbers by one division, unless squares of J leave the range of numbers.
  const bool single = comparisons_.size() == 1 && step::sliding::holds(J_(0, 0));
  if (!single && !rows_.factor(unit_, J_)) return false;

  // the weights that take it away
  const double size = residual_.norm();
  for (int k = 0; k < (affine_ ? 2 : most_corrections); ++k) {
    residual_ = -residual_;
    if (single)
      step_[0] = residual_[0] / J_(0, 0);
    else
      rows_.least_norm(residual_, step_);
    for (std::size_t i = 0; i < comparisons_.size(); ++i) w[comparisons_[i]] += step_[i];
    before_ = -residual_;
    if (!find_residual(evaluator, vdot, w, accelerate, residual_)) return false;
    if (residual_.norm() <= step::sliding::affine * size) break;
    if (!affine_ && !(residual_.norm() < before_.norm() && update_slopes(single))) break;
  }

  // comparisons that no weight holds
  bool lost = false;
  for (Eigen::Index i = 0; i < residual_.size(); ++i) {
    if (!is_lost(i)) continue;
    w[comparisons_[static_cast<std::size_t>(i)]] = outside(i);
    lost = true;
  }
  return !lost || find_residual(evaluator, vdot, w, accelerate, residual_);
}

// Broyden's: the smallest change of the slopes with which the last step has its effect.
bool Sliding::update_slopes(bool single) {
  J_ += (residual_ - before_ - J_ * step_) * step_.transpose() / step_.squaredNorm();
  return J_.allFinite() && (single ? step::sliding::holds(J_(0, 0)) : rows_.factor(unit_, J_));
}

// The weights leave a residual of its root. One that is zero needs no weight.
bool Sliding::is_pushed(Eigen::Index i) const {
  return step::sliding::is_pushed(residual_[i], J_.row(i).cwiseAbs().maxCoeff());
}

// Or they push the root away from zero.
bool Sliding::is_lost(Eigen::Index i) const { return is_pushed(i) || (residual_.size() == 1 && J_(0, 0) > 0); }

// A root that nothing pushes leaves zero to its own side; at zero the formula decides.
double Sliding::outside(Eigen::Index i) const {
  const int k = comparisons_[static_cast<std::size_t>(i)];
  const Graph::Comparison& comparison = all_[static_cast<std::size_t>(k)];
  const bool up = is_pushed(i) ? residual_[i] > 0 : step::outcome_of(comparison.kind, roots_[k]) == 1;
  return step::sliding::outside(up, comparison.breakaway);
}

}  // namespace armature::internal
