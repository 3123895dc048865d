// Udwadia-Kalaba acceleration:
//
//   vdot = a + M^-1/2 (Phi M^-1/2)^+ (b - Phi a),   a = M^-1 f
//
// Exact also for dependent rows, which the pseudo-inverse weighs together; needs M positive definite. The root of M may
// be its Cholesky factor, since the result does not depend on the choice. Udwadia & Kalaba, Proc. R. Soc. A 439 (1992).
#pragma once

#include <Eigen/Cholesky>

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "linear/singular_values.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct UdwadiaKalaba {
  void resize(int nv, int m);
  void solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration);

  KineticRows rows;  // the rank decision, and the multipliers
  Eigen::MatrixXd W;
  Eigen::VectorXd a, error, weights, step, force;
  Eigen::LLT<Eigen::MatrixXd> llt;
  SingularValues svd;  // of W
};

}  // namespace armature::internal
