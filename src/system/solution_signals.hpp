// Accelerations, multipliers and reactions in formulas (mechanics/solution_leaves.hpp), and loads of friction
// (friction_loads.hpp), become expressions of the state: the solution of
//
//   M vdot + Phi' lambda = f,   Phi vdot = gamma
//
// traced through the factorizations, as computed torque is (constrained_solution.hpp). Forces may depend on them in proportion.
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
  std::shared_ptr<Equations> copy_with(const LeafMap& values);

  std::shared_ptr<Equations> equations_;
  std::vector<Expression> roots_;  // as the formulas have them
};

}  // namespace armature::internal
