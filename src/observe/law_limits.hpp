// Elements whose models are valid in a range only: a battery that is not empty, a piston inside its cylinder. Each watches a formula that
// has no value outside the range (Equations::watched). The motion continues there as the formulas say, and the run warns.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "observe/outcome.hpp"

namespace armature::internal {

// Those that follow from the states: laws of the solution, such as a guide that jams, end the run by themselves.
std::vector<const WatchedFormula*> limited_laws(const Equations& equations);

class LawLimits {
 public:
  explicit LawLimits(Dynamics& dynamics);         // kept by reference
  void look(double t, const Eigen::VectorXd& x);  // at the outcomes and discrete values that are set in the dynamics
  void report(Outcome& outcome) const;            // each limit that was passed, once

 private:
  Dynamics* dynamics_;
  std::vector<const WatchedFormula*> laws_;
  Evaluator values_;
  std::vector<double> value_, passed_at_;  // NaN: not passed
};

}  // namespace armature::internal
