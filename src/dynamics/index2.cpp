#include "dynamics/index2.hpp"
#include "expression/interruption.hpp"

#include <fmt/format.h>

namespace armature::internal {

using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

Index2::Index2(std::shared_ptr<const System> system)
    : evaluator_(std::move(system)),
      n_(evaluator_.system().layout()),
      independent_(evaluator_.system().options().independent_rows),
      configuration_(evaluator_.system().equations()),
      terms_(evaluator_.make_terms()),
      jacobian_(evaluator_.make_jacobian()) {
  const int m = static_cast<int>(independent_.size());
  rows_.resize(n_.nv, m);
  std::vector<int> groups;
  const std::vector<int> all_groups = row_groups(evaluator_.system().equations());
  for (const int row : independent_) groups.push_back(all_groups[row]);
  rows_.set_groups(groups);
  Phi_.setZero(m, n_.nv);
  lambda_.setZero(n_.m);
  vdot_.setZero(n_.nv), speed_.setZero(n_.nv);
  gamma_.setZero(m), some_lambda_.setZero(m);
}

void Index2::set_state(const State& state) { evaluator_.hold(state); }

int Index2::size() const { return n_.nx() + 2 * static_cast<int>(independent_.size()); }

bool Index2::evaluate(double t, const double* y) {
  const long n = n_.nx();
  if (interrupted_after(evaluator_.system().operation_count() + 4 * n * n)) return false;
  evaluator_.set(t, y);
  evaluator_.all(terms_);
  for (std::size_t k = 0; k < independent_.size(); ++k) Phi_.row(k) = terms_.Phi.row(independent_[k]);
  return terms_.f.allFinite() && terms_.M.allFinite() && terms_.zdot.allFinite();
}

bool Index2::is_velocity_row(int k) const {
  return evaluator_.system()
      .equations()
      .rows[static_cast<std::size_t>(independent_[static_cast<std::size_t>(k)])]
      .rate.has_value();
}

void Index2::gather_multipliers(const double* y) {
  for (std::size_t k = 0; k < independent_.size(); ++k) lambda_[independent_[k]] = y[n_.nx() + k];
}

bool Index2::residual(double t, const double* y, const double* ydot, double* r) {
  const int m = static_cast<int>(independent_.size());
  if (!evaluate(t, y)) {
    message_ = fmt::format("a formula has no finite value at t = {:.6g} s", t);
    return false;
  }
  const ConstVector v(y + n_.nq, n_.nv), lambda(y + n_.nx(), m), mu(y + n_.nx() + m, m);
  // q' - N (v + Phi' mu)
  speed_ = v;
  speed_.noalias() += Phi_.transpose() * mu;
  configuration_.rate(y, speed_.data(), r);
  Vector(r, n_.nq) = ConstVector(ydot, n_.nq) - Vector(r, n_.nq);

  // M v' + Phi' lambda - f
  Vector momentum(r + n_.nq, n_.nv);
  momentum.noalias() = terms_.M * ConstVector(ydot + n_.nq, n_.nv);
  momentum.noalias() += Phi_.transpose() * lambda;
  momentum -= terms_.f;
  // z' - zdot, phidot, phi
  Vector(r + n_.nq + n_.nv, n_.nz) = ConstVector(ydot + n_.nq + n_.nv, n_.nz) - terms_.zdot;
  for (int k = 0; k < m; ++k) {
    r[n_.nx() + k] = terms_.phidot[independent_[k]];
    r[n_.nx() + m + k] = is_velocity_row(k) ? mu[k] : terms_.phi[independent_[k]];
  }
  return true;
}

bool Index2::jacobian(double t, double cj, const double* y, const double* ydot, Eigen::MatrixXd& J) {
  const int m = static_cast<int>(independent_.size()), nq = n_.nq, nv = n_.nv, nz = n_.nz, nx = n_.nx();
  if (!evaluate(t, y)) return false;
  gather_multipliers(y);
  vdot_ = ConstVector(ydot + nq, nv);
  evaluator_.jacobian(vdot_, lambda_, jacobian_);
  const auto& j = jacobian_;

  // rows of q'
  J.setZero(size(), size());
  J.topLeftCorner(nq, nq) = -j.qdot_q;
  J.topLeftCorner(nq, nq).diagonal().array() += cj;
  J.block(0, nq, nq, nv) = -j.qdot_v;
  // -qdot_v Phi'; a row of Phi has few entries, and the product of the full matrices would take longer than all the rest
  for (int i = 0; i < nv; ++i)
    for (int k = 0; k < m; ++k)
      if (Phi_(k, i) != 0) J.col(nx + m + k).head(nq) -= Phi_(k, i) * j.qdot_v.col(i);

  // rows of v'
  J.block(nq, 0, nv, nq) = j.r_q;
  J.block(nq, nq, nv, nv) = j.r_v + cj * terms_.M;
  J.block(nq, nq + nv, nv, nz) = j.r_z;
  J.block(nq, nx, nv, m) = Phi_.transpose();

  // rows of z'
  J.block(nq + nv, 0, nz, nq) = -j.zdot_q;
  J.block(nq + nv, nq, nz, nv) = -j.zdot_v;
  J.block(nq + nv, nq + nv, nz, nz) = -j.zdot_z;
  J.block(nq + nv, nq + nv, nz, nz).diagonal().array() += cj;

  // rows of phidot and phi
  for (int k = 0; k < m; ++k) {
    J.row(nx + k).head(nq) = j.phidot_q.row(independent_[k]);
    J.row(nx + k).segment(nq, nv) = Phi_.row(k);
    J.row(nx + m + k).head(nq) = j.phi_q.row(independent_[k]);
    if (is_velocity_row(k)) J(nx + m + k, nx + m + k) = 1;
  }
  const long entries = J.size();
  return !interrupted_after(4 * entries) && J.allFinite();
}

void Index2::differential(Eigen::VectorXd& id) const {
  id.setZero(size());
  id.head(n_.nx()).setOnes();
}

void Index2::tested(Eigen::VectorXd& id) const { differential(id); }

// The matrices of a large machine are mostly zeros. Dense factors of it would take seconds.
bool Index2::factor_rows() {
  if (n_.nv + Phi_.rows() < KineticRows::large) return rows_.factor(terms_.M, Phi_);
  return rows_.factor(SparseMatrix(terms_.M.sparseView()), SparseMatrix(Phi_.sparseView()));
}

bool Index2::begin(double t, const double* x, double* y, double* ydot) {
  const int m = static_cast<int>(independent_.size());
  if (!evaluate(t, x) || !factor_rows()) {
    message_ = fmt::format("a formula has no finite value at t = {:.6g} s", t);
    return false;
  }
  if (rows_.rank() < m) {
    message_ =
        fmt::format("Phi has rank {} of {} at t = {:.6g} s: ida cannot pass a singular configuration; use dopri5",
                    rows_.rank(), m, t);
    return false;
  }
  // accelerations and multipliers that go with x; mu is zero on the constraints
  for (int k = 0; k < m; ++k) gamma_[k] = terms_.gamma[independent_[k]];
  rows_.solve(terms_.f, gamma_, vdot_, some_lambda_);
  Vector(y, size()).setZero();
  Vector(ydot, size()).setZero();
  Vector(y, n_.nx()) = ConstVector(x, n_.nx());
  Vector(y + n_.nx(), m) = some_lambda_;
  Vector(ydot, n_.nq) = terms_.qdot;
  Vector(ydot + n_.nq, n_.nv) = vdot_;
  Vector(ydot + n_.nq + n_.nv, n_.nz) = terms_.zdot;
  return true;
}

}  // namespace armature::internal
