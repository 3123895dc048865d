#include "dynamics/sliding.hpp"

namespace armature::internal {

Sliding::Sliding(const System& system) {
  roots_ = rates_ = Eigen::VectorXd::Zero(system.layout().nw);
  modes_.reserve(system.layout().nw);
}

void Sliding::set(const std::vector<ModeStatus>& modes) {
  const std::size_t before = modes_.size();
  modes_.clear();
  for (std::size_t k = 0; k < modes.size(); ++k) {
    if (modes[k] == ModeStatus::sliding) modes_.push_back(static_cast<int>(k));
  }
  if (modes_.size() == before) return;
  const int n = static_cast<int>(modes_.size());
  lack_ = other_ = step_ = Eigen::VectorXd::Zero(n);
  J_ = Eigen::MatrixXd::Zero(n, n);
  unit_ = Eigen::MatrixXd::Identity(n, n);
  rows_.resize(n, n);
}

// d(root)/dt + rate root of the sliding modes, with the weights w.
bool Sliding::lack(SystemEvaluator& evaluator, const Eigen::VectorXd& vdot, const Eigen::VectorXd& w,
                   const std::function<bool()>& accelerate, Eigen::VectorXd& result) {
  evaluator.set_modes(w);
  if (!accelerate()) return false;
  evaluator.root_rates(vdot, rates_);
  for (std::size_t i = 0; i < modes_.size(); ++i) result[i] = rates_[modes_[i]] + step::sliding::rate * roots_[modes_[i]];
  return result.allFinite();
}

bool Sliding::solve(SystemEvaluator& evaluator, const Eigen::VectorXd& vdot, Eigen::VectorXd& w,
                    const std::function<bool()>& accelerate) {
  for (const int mode : modes_) w[mode] = 0.5;
  evaluator.set_modes(w);
  evaluator.roots(roots_);
  if (!lack(evaluator, vdot, w, accelerate, lack_)) return false;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    w[modes_[i]] = 1;
    if (!lack(evaluator, vdot, w, accelerate, other_)) return false;
    w[modes_[i]] = 0.5;
    J_.col(i) = 2 * (other_ - lack_);
  }
  // One mode: the same numbers by one division, unless squares of J leave the range of numbers.
  const bool single = modes_.size() == 1 && step::sliding::divides(J_(0, 0));
  if (!single && !rows_.factor(unit_, J_)) return false;

  const double size = lack_.norm();
  for (int k = 0; k < 2; ++k) {
    lack_ = -lack_;
    if (single)
      step_[0] = lack_[0] / J_(0, 0);
    else
      rows_.least_norm(lack_, step_);
    for (std::size_t i = 0; i < modes_.size(); ++i) w[modes_[i]] += step_[i];
    if (!lack(evaluator, vdot, w, accelerate, lack_)) return false;
    if (lack_.norm() <= step::sliding::affine * size) break;
  }
  return true;
}

}  // namespace armature::internal
