// Elements whose laws end somewhere: a battery that is empty, a piston at the end of its cylinder. Each watches a formula that has no value
// beyond that (Equations::watched). The motion goes on there as the formulas say, but no machine does: the run says so.
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
