#include "dynamics/inverse_dynamics.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace armature {

InverseDynamics::InverseDynamics(std::shared_ptr<const System> system, std::vector<bool> motion)
    : evaluator_(std::move(system)), terms_(evaluator_.make_terms()), other_(evaluator_.make_terms()) {
  const Layout& n = evaluator_.system().layout();
  for (int r = 0; r < n.m; ++r) (motion[r] ? motion_ : loops_).push_back(r);
  rows_.resize(n.nv, n.m);
  rows_.set_groups(row_groups(evaluator_.system().equations()));
  vdot_ = Eigen::VectorXd::Zero(n.nv);
  lambda_ = Eigen::VectorXd::Zero(n.m);
  effort_ = Eigen::VectorXd::Zero(n.np);
  w_ = roots_ = Eigen::VectorXd::Zero(n.nw);
  B_.resize(n.nv, n.np);
}

// Comparisons by the signs of their roots; twice, since a root may depend on another comparison.
void InverseDynamics::take_modes() {
  for (int pass = 0; pass < 2; ++pass) {
    evaluator_.roots(roots_);
    for (Eigen::Index k = 0; k < w_.size(); ++k) w_[k] = roots_[k] >= 0 ? 1 : 0;
    evaluator_.set_modes(w_);
  }
}

// Columns of df/dtau, by the difference that one unit of effort makes: f is linear in them.
void InverseDynamics::find_B() {
  for (Eigen::Index i = 0; i < effort_.size(); ++i) {
    evaluator_.set_parameters(Eigen::VectorXd::Unit(effort_.size(), i));
    evaluator_.all(other_);
    B_.col(i) = other_.f - terms_.f;
  }
}

bool InverseDynamics::solve(double t, const Eigen::VectorXd& x) {
  evaluator_.set(t, x.data());
  effort_.setZero();
  evaluator_.set_parameters(effort_);
  take_modes();
  evaluator_.all(terms_);
  if (!rows_.factor(terms_.M, terms_.Phi)) return false;
  undetermined_ = evaluator_.system().layout().nv - rows_.rank();
  rows_.solve(terms_.f, terms_.gamma, vdot_, lambda_);
  L_.resize(static_cast<Eigen::Index>(loops_.size()), terms_.Phi.cols());
  for (std::size_t r = 0; r < loops_.size(); ++r) L_.row(static_cast<Eigen::Index>(r)) = terms_.Phi.row(loops_[r]);
  find_B();
  find_effort();
  evaluator_.set_parameters(effort_);
  return vdot_.allFinite() && effort_.allFinite();
}

void InverseDynamics::find_effort() {
  const Eigen::Index nv = terms_.M.rows();
  Eigen::MatrixXd N = Eigen::MatrixXd::Identity(nv, nv);
  if (L_.rows() > 0) {
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(L_.transpose());
    const Eigen::MatrixXd Q = qr.householderQ();
    N = Q.rightCols(nv - qr.rank());
  }
  const Eigen::MatrixXd A = N.transpose() * B_;
  const Eigen::VectorXd force = N.transpose() * (terms_.M * vdot_ - terms_.f);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& sigma = svd.singularValues();
  smallest_ = sigma.size() == 0 || sigma[0] == 0 ? 0 : sigma[sigma.size() - 1] / sigma[0];
  effort_ = svd.solve(force);
  const double size = std::max(force.norm(), 1e-12);
  lack_ = (A * effort_ - force).norm() / size;
  orientation_ = 0;
  if (B_.cols() + L_.rows() != nv) return;
  Eigen::MatrixXd square(nv, nv);
  square << B_, L_.transpose();
  orientation_ = square.partialPivLu().determinant() < 0 ? -1 : 1;
}

}  // namespace armature
