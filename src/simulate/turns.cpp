#include "simulate/turns.hpp"

#include "expression/derivative.hpp"

namespace armature {

// Coordinates of beams turn what sits on them by slopes, which may be of any size.
Turns::Turns(const Prepared& prepared)
    : bounded_(prepared.beams.empty()), from_(prepared.start.x.head(prepared.system->layout().nq)) {
  const Equations& equations = prepared.system->equations();
  for (const Discrete& value : equations.discrete) {
    if (value.period != 0 || value.offset != 0) continue;
    any_ = true;
    bounded_ = bounded_ && value.turns_with_joints && !depends_on(value.next, equations.t);
  }
}

bool Turns::due(const Eigen::VectorXd& x) {
  if (!any_ || !bounded_) return any_;
  double way = 0;
  for (Eigen::Index i = 0; i < from_.size(); ++i) way += std::abs(x[i] - from_[i]);
  if (way <= share) return false;
  from_ = x.head(from_.size());
  return true;
}

}  // namespace armature
