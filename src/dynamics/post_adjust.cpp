#include "dynamics/post_adjust.hpp"

#include <algorithm>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

PostAdjust::PostAdjust(SystemEvaluator& evaluator, const PostAdjustOptions& options)
    : evaluator_(evaluator),
      options_(options),
      configuration_(evaluator.system().equations()),
      terms_(evaluator.make_terms()) {
  const Layout& layout = evaluator.system().layout();
  const int chosen = std::min(layout.m, layout.nv), given = layout.nv - static_cast<int>(options.independent.size());
  const int count = options.independent.empty() ? chosen : given;
  for (int j = 0; j < layout.nv && !options.independent.empty(); ++j) {
    const auto& kept = options.independent;
    if (std::find(kept.begin(), kept.end(), j) == kept.end()) dependent_.push_back(j);
  }
  dependent_.resize(count);
  Phi_d_.setZero(layout.m, count), H_.setZero(count, count);
  moved_.setZero(count), gradient_.setZero(count), dv_.setZero(layout.nv);
  llt_.compute(MatrixXd::Identity(count, count));
  qr_ = Eigen::ColPivHouseholderQR<MatrixXd>(layout.m, layout.nv);
}

// The columns that pivoting takes first depend on the others.
void PostAdjust::choose(double t, const double* x) {
  evaluator_.set(t, x);
  evaluator_.position(terms_);
  qr_.compute(terms_.Phi);
  for (std::size_t k = 0; k < dependent_.size(); ++k) dependent_[k] = qr_.colsPermutation().indices()[k];
}

void PostAdjust::gather() {
  for (std::size_t k = 0; k < dependent_.size(); ++k) Phi_d_.col(k) = terms_.Phi.col(dependent_[k]);
  H_.noalias() = options_.penalty * Phi_d_.transpose() * Phi_d_;
  H_.diagonal().array() += options_.weight;
  llt_.compute(H_);
}

bool PostAdjust::adjust(double t, double* x) {
  configuration_.normalize(x);
  if (dependent_.empty() || terms_.phi.size() == 0) return true;
  if (options_.independent.empty()) choose(t, x);
  return adjust_positions(t, x) && adjust_velocities(t, x);
}

bool PostAdjust::adjust_positions(double t, double* x) {
  moved_.setZero();
  for (int k = 0; k <= options_.iterations; ++k) {
    evaluator_.set(t, x);
    evaluator_.position(terms_);
    gather();
    gradient_.noalias() = options_.penalty * Phi_d_.transpose() * terms_.phi;
    gradient_ += options_.weight * moved_;
    if (!gradient_.allFinite()) return false;
    if (gradient_.norm() < options_.tolerance || k == options_.iterations) break;
    llt_.solveInPlace(gradient_);
    moved_ -= gradient_;
    dv_.setZero();
    for (std::size_t i = 0; i < dependent_.size(); ++i) dv_[dependent_[i]] = -gradient_[i];
    configuration_.advance(x, dv_.data());
  }
  return true;
}

bool PostAdjust::adjust_velocities(double t, double* x) {
  evaluator_.set(t, x);
  evaluator_.motion(terms_);
  gather();
  gradient_.noalias() = options_.penalty * Phi_d_.transpose() * terms_.phidot;
  llt_.solveInPlace(gradient_);
  if (!gradient_.allFinite()) return false;
  for (std::size_t i = 0; i < dependent_.size(); ++i) x[configuration_.nq() + dependent_[i]] -= gradient_[i];
  return true;
}

}  // namespace armature::internal
