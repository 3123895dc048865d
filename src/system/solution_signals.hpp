// Accelerations, multipliers and reactions in formulas (mechanics/solution_leaves.hpp) become expressions of the state: the solution of
//
//   M vdot + Phi' lambda = f,   Phi vdot = gamma
//
// traced through the factorizations, as computed torque is. No force depends on them, so that f is known. Of rows that depend on
// others at every pose the multipliers are those of least norm: with the dependent rows Phi_D = K Phi_I and the multipliers mu of the
// independent ones alone,
//
//   (1 + K K') lambda_D = K mu,   lambda_I = mu - K' lambda_D.
//
// Which rows are independent is known only when the start is: until then the signals count as zero.
#pragma once

#include <memory>
#include <vector>

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"

namespace armature::internal {

class SolutionSignals {
 public:
  explicit SolutionSignals(std::shared_ptr<Equations> equations);

  bool any() const { return equations_->solution_in_formulas; }
  // The equations as they are if there are none, else a copy. The graph is shared, and has the roots of the copy made last.
  std::shared_ptr<const Equations> at_zero();
  std::shared_ptr<const Equations> solved(const std::vector<int>& independent_rows);

 private:
  std::shared_ptr<const Equations> copy_with(const LeafMap& values);

  std::shared_ptr<Equations> equations_;
  std::vector<Expression> roots_;  // as the formulas have them
};

}  // namespace armature::internal
