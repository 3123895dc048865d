#include "linear/kinetic_rows.hpp"

namespace armature {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void KineticRows::resize(int nv, int m) {
  m_ = m;
  if (nv + m < large) {
    if (!std::holds_alternative<DenseKineticRows>(rows_)) rows_.emplace<DenseKineticRows>();
    M_.resize(nv, nv), Phi_.resize(m, nv);
  } else if (!std::holds_alternative<SparseKineticRows>(rows_)) {
    rows_.emplace<SparseKineticRows>();
  }
  std::visit([&](auto& rows) { rows.resize(nv, m); }, rows_);
}

void KineticRows::set_groups(const std::vector<int>& groups) {
  std::visit([&](auto& rows) { rows.set_groups(groups); }, rows_);
}

bool KineticRows::factor(const MatrixXd& M, const MatrixXd& Phi, double tolerance) {
  if (auto* dense = std::get_if<DenseKineticRows>(&rows_)) return dense->factor(M, Phi, tolerance);
  return std::get<SparseKineticRows>(rows_).factor(M.sparseView(0, 0), Phi.sparseView(0, 0), tolerance);
}

bool KineticRows::factor(const SparseMatrix& M, const SparseMatrix& Phi, double tolerance) {
  if (auto* sparse = std::get_if<SparseKineticRows>(&rows_)) return sparse->factor(M, Phi, tolerance);
  M_ = M, Phi_ = Phi;
  return std::get<DenseKineticRows>(rows_).factor(M_, Phi_, tolerance);
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

}  // namespace armature
