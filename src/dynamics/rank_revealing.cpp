#include "dynamics/rank_revealing.hpp"

namespace armature {

void RankRevealing::resize(int nv, int m) { rows.resize(nv, m); }

void RankRevealing::solve(const Terms& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  acceleration.ok = rows.factor(terms.M, terms.Phi);
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;
  rows.solve(terms.f, b, acceleration.vdot, acceleration.lambda);
  acceleration.ok = acceleration.vdot.allFinite();
}

}  // namespace armature
