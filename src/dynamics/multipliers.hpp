// Lagrange multipliers, the direct way:
//
//   [ M    Phi' ] [ vdot   ]   [ f ]
//   [ Phi  0    ] [ lambda ] = [ b ]
//
// The matrix is regular if and only if the rows of Phi are independent; where they are not, this formulation refuses.
#pragma once

#include <Eigen/LU>

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct Multipliers {
  void resize(int nv, int m);
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);

  KineticRows rows;  // the rank decision
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right, solution;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

}  // namespace armature::internal
