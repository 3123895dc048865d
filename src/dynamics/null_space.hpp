// Null space of the Jacobian: with the singular value decomposition Phi = U S V' and V1 its right vectors of rank r,
//
//   R = E - V1 V1' = E - Phi^+ Phi      vdot = [R' M; Phi]^+ [R' f; b]
//
// Equations 21 to 23 of Nguyen, Vu, Dinh and Nguyen (Vietnam J. Mech. 2023). R needs no partition of the coordinates,
// and the stacked matrix has full column rank also where rows are dependent. lambda follows from Phi' lambda = f - M
// vdot.
#pragma once

#include <Eigen/QR>

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "linear/singular_values.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct NullSpace {
  void resize(int nv, int m);
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);

  KineticRows rows;  // the rank decision, and the multipliers
  Eigen::MatrixXd Phi, Phi_t, R, H;
  Eigen::VectorXd h, force;
  SingularValues svd;  // of Phi', whose left vectors are V
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;

 private:
  void least_squares(Eigen::VectorXd& vdot);  // H vdot = h; h is lost
};

}  // namespace armature::internal
