// All that a motion is checked by while it goes on, whoever computes it: single runs at their rows (observation.hpp); motions that record
// nothing at the start, after some steps (step/checked_steps.hpp), and at the end. What is measured is judged by run/judgement.hpp.
#pragma once

#include <optional>

#include "dynamics/dynamics.hpp"
#include "observe/comparison_check.hpp"
#include "observe/constraint_gaps.hpp"
#include "observe/energy_balance.hpp"
#include "observe/finite_quantities.hpp"
#include "observe/held_friction.hpp"
#include "observe/law_limits.hpp"
#include "observe/negative_friction.hpp"
#include "observe/outcome.hpp"
#include "observe/peaks.hpp"
#include "prepare/prepare.hpp"
#include "step/checked_steps.hpp"
#include "system/state.hpp"

namespace armature::internal {

// Of one system's motions, one after the other.
class MotionChecks {
 public:
  explicit MotionChecks(const Prepared& prepared);  // any of its motions: it takes a look at the formulas to make
  // All is kept by reference until the next motion begins.
  void begin(const Prepared& prepared, Dynamics& dynamics, const State& start);
  void receive(double work) { energy_.receive(work); }  // of the host, J

  // A row, with what is evaluated there, and with the outcomes that are set in the dynamics.
  void look(double t, const Eigen::VectorXd& x, const SparseTerms& terms, const Observables& values);
  void pass(const Step& step, double until) {
    comparisons_->pass(step, until);
  }  // the end of each step that rows are taken from
  void report(Outcome& outcome) const;

  // For motions that record nothing: after each step, and in place of report().
  void step(const Integrator& integrator, double until);
  void finish(Outcome& outcome);  // with outcome.last

 private:
  void evaluate(double t, const Eigen::VectorXd& x);
  void look(double t, const Eigen::VectorXd& x);

  bool limits_currents_;  // in steps of one size, which pass them
  EnergyBalance energy_;
  NegativeFriction negative_friction_;
  FiniteQuantities finite_;
  std::vector<int> frictions_;  // that may be held at rest
  Dynamics* dynamics_ = nullptr;
  std::optional<ConstraintGaps> gaps_;
  std::optional<LawLimits> laws_;
  std::optional<HeldFriction> held_friction_;
  std::optional<ComparisonCheck> comparisons_;
  std::optional<Peaks> peaks_;
  SparseTerms terms_;
  Observables values_;
  long steps_ = 0;
};

}  // namespace armature::internal
