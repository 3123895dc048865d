// Dry friction of joints that constraints, or other joints that stick, hold at rest. Its force is not determined there: any value between
// those of sliding forwards and backwards leaves the motion as it is, and changes multipliers and reactions. The run continues with one of
// the two and warns.
//
// A friction is held where, at two recorded rows in a row, its velocity is zero to the tolerances, it does not stick (its force would be
// the one that holds the joint), and its direction changes the forces.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "observe/outcome.hpp"

namespace armature::internal {

// Their comparisons: those that the power lost in friction depends on. None without constraints: nothing but friction holds a joint then.
std::vector<int> frictions_that_may_be_held(const Equations& equations);

class HeldFriction {
 public:
  HeldFriction(Dynamics& dynamics, std::vector<int> frictions);  // dynamics: kept by reference
  void begin(const State& start, const Eigen::VectorXd& atol);
  void look(double t, const Eigen::VectorXd& x);  // with the outcomes that are set in the dynamics
  void report(Outcome& outcome) const;            // the first that is held

 private:
  bool rests(std::size_t friction) const;
  bool acts(int comparison);  // its direction changes forces
  Finding finding_about(int comparison, double t) const;

  Dynamics& dynamics_;
  std::vector<int> comparisons_;  // of frictions
  std::vector<double> rest_;      // of each: speeds below this are rest
  std::vector<double> since_;     // of each: the row since which it rests; NaN: it moves, or sticks
  Eigen::VectorXd root_;
  SparseTerms terms_;
  std::optional<Finding> found_;
};

}  // namespace armature::internal
