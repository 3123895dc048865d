#include "dynamics/rank_revealing.hpp"

namespace armature::internal {

void RankRevealing::resize(int nv, int m) { rows.resize(nv, m); }

template <class Matrix>
void RankRevealing::solve(const TermsOf<Matrix>& terms, const Eigen::VectorXd& b, Acceleration& acceleration) {
  acceleration.ok = rows.factor(terms);
  acceleration.rank = rows.rank();
  acceleration.smallest = rows.smallest();
  if (!acceleration.ok) return;
  rows.solve(terms.f, b, acceleration.vdot, acceleration.lambda);
  acceleration.ok = acceleration.vdot.allFinite();
}

template void RankRevealing::solve(const Terms&, const Eigen::VectorXd&, Acceleration&);
template void RankRevealing::solve(const SparseTerms&, const Eigen::VectorXd&, Acceleration&);

}  // namespace armature::internal
