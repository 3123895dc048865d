// What a run measures at its rows to judge itself (run/judgement.hpp), measured in motions that record nothing: the balance of
// energy, the gaps of the constraints and the limits of laws, at the start, after some steps (checked_steps.hpp), and at the end. An error of either kind stays
// once it is there, so that it is seen at one of these.
#pragma once

#include <optional>

#include "dynamics/dynamics.hpp"
#include "observe/constraint_gaps.hpp"
#include "observe/energy_balance.hpp"
#include "observe/law_limits.hpp"
#include "observe/outcome.hpp"
#include "study/checked_steps.hpp"
#include "system/state.hpp"

namespace armature::internal {

// Of one system's motions, one after the other.
class MotionChecks {
 public:
  void begin(Dynamics& dynamics, const State& start, bool knows_constraint_work);
  // After each step, to x at t.
  void step(double t, const Eigen::VectorXd& x) {
    if (step::is_checked(++steps_)) look(t, x);
  }
  void report(Outcome& outcome);  // with outcome.last

 private:
  void evaluate(double t, const Eigen::VectorXd& x);
  void look(double t, const Eigen::VectorXd& x);

  Dynamics* dynamics_ = nullptr;
  std::optional<EnergyBalance> balance_;  // of any motion: it takes a look at the system's formulas to make
  std::optional<EnergyBalance> energy_;   // of this one
  std::optional<ConstraintGaps> gaps_;
  std::optional<LawLimits> laws_;
  SparseTerms terms_;
  Observables observables_;
  long steps_ = 0;
};

}  // namespace armature::internal
