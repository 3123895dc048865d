#include "linear/kinetic_rows.hpp"

#include <numeric>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The rows as they are wanted, sized.
template <class Rows>
Rows& KineticRows::rows_as() {
  if (!std::holds_alternative<Rows>(rows_)) rows_.emplace<Rows>();
  Rows& rows = std::get<Rows>(rows_);
  if (rows.velocities() != nv_ || rows.rows() != m_) rows.resize(nv_, m_), rows.set_groups(groups_);
  rows.set_extents(extents_);
  return rows;
}

void KineticRows::resize(int nv, int m) {
  nv_ = nv, m_ = m;
  groups_.resize(m);
  std::iota(groups_.begin(), groups_.end(), 0);
  if (nv + m < large) rows_as<DenseKineticRows>(), M_.resize(nv, nv), Phi_.resize(m, nv);
  set_groups(groups_);
}

void KineticRows::set_groups(const std::vector<int>& groups) {
  groups_ = groups;
  std::visit(
      [&](auto& rows) {
        if (rows.velocities() == nv_ && rows.rows() == m_) rows.set_groups(groups);
      },
      rows_);
}

bool KineticRows::factor(const MatrixXd& M, const MatrixXd& Phi, double tolerance) {
  return rows_as<DenseKineticRows>().factor(M, Phi, tolerance);
}

bool KineticRows::factor(const SparseMatrix& M, const SparseMatrix& Phi, double tolerance) {
  if (nv_ + m_ >= large) return rows_as<SparseKineticRows>().factor(M, Phi, tolerance);
  M_ = M, Phi_ = Phi;
  return rows_as<DenseKineticRows>().factor(M_, Phi_, tolerance);
}

int KineticRows::rank() const {
  return std::visit([](const auto& rows) { return rows.rank(); }, rows_);
}

double KineticRows::smallest() const {
  return std::visit([](const auto& rows) { return rows.smallest(); }, rows_);
}

double KineticRows::neglected() const {
  return std::visit([](const auto& rows) { return rows.neglected(); }, rows_);
}

int KineticRows::row(int k) const {
  return std::visit([&](const auto& rows) { return rows.row(k); }, rows_);
}

double KineticRows::scale(int row) const {
  return std::visit([&](const auto& rows) { return rows.scale(row); }, rows_);
}

void KineticRows::least_norm(const VectorXd& r, VectorXd& dv) {
  std::visit([&](auto& rows) { rows.least_norm(r, dv); }, rows_);
}

void KineticRows::make_tangent(VectorXd& dv) {
  std::visit([&](auto& rows) { rows.make_tangent(dv); }, rows_);
}

void KineticRows::multipliers(const VectorXd& force, VectorXd& lambda) {
  std::visit([&](auto& rows) { rows.multipliers(force, lambda); }, rows_);
}

void KineticRows::solve(const VectorXd& f, const VectorXd& b, VectorXd& vdot, VectorXd& lambda) {
  std::visit([&](auto& rows) { rows.solve(f, b, vdot, lambda); }, rows_);
}

void KineticRows::dependence(int k, VectorXd& c) const {
  std::visit([&](const auto& rows) { rows.dependence(k, c); }, rows_);
}

}  // namespace armature::internal
