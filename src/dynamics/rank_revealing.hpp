// The rank-revealing half of `auto`: QR of the constraint rows in the kinetic metric. With W' P = Q R and y = L' vdot,
//
//   y = Q [R11^-T (P' D^-1 b)_1; (Q' L^-1 f)_2]
//
// Dependent rows are left out; where none are, this is the exact solution. See linear/kinetic_rows.hpp.
#pragma once

#include "dynamics/acceleration.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/terms.hpp"

namespace armature::internal {

struct RankRevealing {
  void resize(int nv, int m);
  template <class Matrix>
  void solve(const TermsOf<Matrix>& terms, const Eigen::VectorXd& b, Acceleration& acceleration);

  KineticRows rows;
};

}  // namespace armature::internal
