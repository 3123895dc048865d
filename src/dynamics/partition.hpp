// Coordinate partitioning: velocities are split into independent (i) and as many dependent (d) ones as there are rows.
//
//   Phi_d vdot_d = b - Phi_i vdot_i      R = [E; -Phi_d^-1 Phi_i]      Phi R = 0
//   R' M R vdot_i = R' (f - M [0; Phi_d^-1 b])                         Phi_d' lambda = (f - M vdot)_d
//
// Equation 20 of Nguyen, Vu, Dinh and Nguyen (Vietnam J. Mech. 2023) and Wehage & Haug (1982). It is singular where
// det Phi_d = 0, though the mechanism may be regular there; `repartition` then chooses other columns.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <vector>

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct Partition {
  std::vector<int> independent;  // velocities, nv - m of them; empty: chosen by pivoted QR at the first solve
  bool repartition = false;      // choose anew when Phi_d^-1 Phi_i grows beyond `largest_entry`
  double largest_entry = 1e3;    // a regular choice by pivoting has entries of about 1

  void resize(int nv, int m);
  void choose(const Terms& terms);
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);

  std::vector<int> dependent;
  KineticRows rows;  // the rank decision
  Eigen::MatrixXd Phi_d, Phi_i, T, R, MR, reduced, scaled;
  Eigen::VectorXd shift, force, right, vdot_i, part_d, lambda;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  Eigen::LLT<Eigen::MatrixXd> llt;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;

 private:
  bool eliminate(const Terms& terms);  // T = Phi_d^-1 Phi_i; false: not finite
};

}  // namespace armature::internal
