// Coordinate partitioning: velocities are split into independent (i) and as many dependent (d) ones as there are rows.
//
//   Phi_d vdot_d = b - Phi_i vdot_i      R = [E; -Phi_d^-1 Phi_i]      Phi R = 0
//   R' M R vdot_i = R' (f - M [0; Phi_d^-1 b])                         Phi_d' lambda = (f - M vdot)_d
//
// Equation 20 of Nguyen, Vu, Dinh and Nguyen (Vietnam J. Mech. 2023) and Wehage & Haug (1982). It is singular where
// det Phi_d = 0, though the mechanism may be regular there; `repartition` then chooses other columns.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "dynamics/formulation_solver.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

class Partition final : public FormulationSolver {
 public:
  std::vector<int> independent;  // velocities, nv - m of them; empty: chosen by pivoted QR at the first solve
  bool repartition = false;      // choose anew when Phi_d^-1 Phi_i grows beyond `largest_entry`
  double largest_entry = 1e3;    // a regular choice by pivoting has entries of about 1

  void resize(int nv, int m) override;
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) override;
  std::string refusal(const Acceleration& acceleration) const override {
    if (acceleration.rank != rows.rows()) return {};
    return "the dependent block of formulation partition is singular here; choose other independent coordinates, or "
           "repartition: true, or formulation auto";
  }

  std::vector<int> dependent;
  Eigen::MatrixXd Phi_d, Phi_i, T, R, MR, reduced, scaled;
  Eigen::VectorXd shift, force, right, vdot_i, part_d, lambda;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;

 private:
  void choose(const Terms& terms);
  bool eliminate(const Terms& terms);  // T = Phi_d^-1 Phi_i; false: not finite
};

void Partition::resize(int nv, int m) {
  const int free = std::max(nv - m, 0);
  rows.resize(nv, m);
  Phi_d.setZero(m, m), Phi_i.setZero(m, free), T.setZero(m, free);
  R.setZero(nv, free), MR.setZero(nv, free), reduced.setZero(free, free), scaled.setZero(m, nv);
  shift.setZero(nv), force.setZero(nv), right.setZero(free), vdot_i.setZero(free), part_d.setZero(m), lambda.setZero(m);
  lu = Eigen::PartialPivLU<MatrixXd>(m);
  llt.compute(MatrixXd::Identity(free, free));
  qr = Eigen::ColPivHouseholderQR<MatrixXd>(m, nv);
  dependent.clear();
  if (!independent.empty()) {
    for (int j = 0; j < nv; ++j) {
      if (std::find(independent.begin(), independent.end(), j) == independent.end()) dependent.push_back(j);
    }
  }
  independent.reserve(nv), dependent.reserve(nv);
}

// The columns that pivoting takes first are the dependent ones. Rows are divided by their norm and columns by the
// square root of their inertia, so that the choice does not depend on units.
void Partition::choose(const Terms& terms) {
  const int nv = static_cast<int>(terms.M.rows()), m = rows.rows();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < nv; ++j) scaled(i, j) = terms.Phi(i, j) / (rows.scale(i) * std::sqrt(terms.M(j, j)));
  }
  qr.compute(scaled);
  const auto& order = qr.colsPermutation().indices();
  dependent.assign(order.data(), order.data() + m);
  independent.assign(order.data() + m, order.data() + nv);
  std::sort(dependent.begin(), dependent.end());
  std::sort(independent.begin(), independent.end());
}

bool Partition::eliminate(const Terms& terms) {
  for (std::size_t k = 0; k < dependent.size(); ++k) Phi_d.col(k) = terms.Phi.col(dependent[k]);
  for (std::size_t k = 0; k < independent.size(); ++k) Phi_i.col(k) = terms.Phi.col(independent[k]);
  lu.compute(Phi_d);
  for (int k = 0; k < T.cols(); ++k) {
    part_d = Phi_i.col(k);
    lambda = lu.solve(part_d);
    T.col(k) = lambda;
  }
  return T.allFinite();
}

void Partition::solve(const Terms& terms, const VectorXd& b, Acceleration& acceleration) {
  acceleration.ok = rows.factor(terms) && rows.rank() == rows.rows();
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;

  if (dependent.size() != static_cast<std::size_t>(rows.rows())) choose(terms);
  acceleration.ok = eliminate(terms);
  if (repartition && (!acceleration.ok || (T.size() > 0 && T.cwiseAbs().maxCoeff() > largest_entry))) {
    choose(terms);
    acceleration.ok = eliminate(terms);
  }
  if (!acceleration.ok) return;

  // R, and the part of vdot that b asks for
  part_d = lu.solve(b);
  R.setZero();
  shift.setZero();
  for (std::size_t k = 0; k < independent.size(); ++k) R(independent[k], k) = 1;
  for (std::size_t k = 0; k < dependent.size(); ++k) R.row(dependent[k]) = -T.row(k), shift[dependent[k]] = part_d[k];

  // the motion along R
  MR.noalias() = terms.M * R;
  reduced.noalias() = R.transpose() * MR;
  force = terms.f;
  force.noalias() -= terms.M * shift;
  right.noalias() = R.transpose() * force;
  if (R.cols() > 0) {
    llt.compute(reduced);
    vdot_i = right;
    llt.solveInPlace(vdot_i);
  }
  acceleration.vdot = shift;
  acceleration.vdot.noalias() += R * vdot_i;

  // multipliers from the dependent equations
  force = terms.f;
  force.noalias() -= terms.M * acceleration.vdot;
  for (std::size_t k = 0; k < dependent.size(); ++k) part_d[k] = force[dependent[k]];
  lu.matrixLU().triangularView<Eigen::Upper>().transpose().solveInPlace(part_d);
  lu.matrixLU().triangularView<Eigen::UnitLower>().transpose().solveInPlace(part_d);
  for (int i = 0; i < part_d.size(); ++i) acceleration.lambda[i] = part_d[lu.permutationP().indices()[i]];
  acceleration.ok = acceleration.vdot.allFinite();
}

}  // namespace

std::unique_ptr<FormulationSolver> make_partition_formulation(const FormulationOptions& options, int nv, int m) {
  const std::set<int> distinct(options.independent.begin(), options.independent.end());
  const bool inside = distinct.empty() || (*distinct.begin() >= 0 && *distinct.rbegin() < nv);
  const bool counted = distinct.empty() || static_cast<int>(distinct.size()) == nv - m;
  if (!inside || !counted || distinct.size() != options.independent.size()) {
    throw std::invalid_argument(fmt::format(
        "partition: {} velocities and {} constraint rows need {} different independent velocities, {} were given", nv,
        m, nv - m, options.independent.size()));
  }
  auto partition = std::make_unique<Partition>();
  partition->independent = options.independent;
  partition->repartition = options.repartition;
  return partition;
}

}  // namespace armature::internal
