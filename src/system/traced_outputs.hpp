// What the programs of the traced solve put out, as expressions: accelerations, and the steps that return a state to
// its constraints. All of them share one factorization of M and S = Phi M^-1 Phi' (traced_solve.hpp).
#pragma once

#include <vector>

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"
#include "system/traced_solve.hpp"

namespace armature {

class TracedOutputs {
 public:
  using List = std::vector<Expression>;
  // The constraints and what belongs to them, all rows; `rows` are those that are used.
  struct Constraints {
    const ExpressionMatrix &Phi, &Phidot;
    const List &phidot, &gamma, &extents;
    const std::vector<int>& rows;
    const std::vector<int>& groups;
  };
  TracedOutputs(const Equations& equations, const Constraints& constraints);

  // Inputs behind those of Layout: alpha, beta | errors of positions (along v) and velocities | weight.
  List gains() const { return {alpha_, beta_}; }
  List gains_and_errors() const;
  List gains_errors_and_weight() const;

  // In the order that System::Programs names.
  List acceleration() const;
  List acceleration_baumgarte() const;
  List correct_position() const { return correction(phi_); }
  List correct_velocity() const { return correction(phidot_); }
  List correct_velocity_and_errors() const;
  List correct_motion() const;
  List step_end() const;

 private:
  struct Motion {
    List dq, dv;
    Expression work;
  };
  TracedSolve::Solution solve_motion(const List& b, bool pulled, List& outputs) const;  // appends vdot … zdot
  void add_constraint_power(const List& lambda, bool pulled, List& zdot) const;
  List step(const List& residual) const;  // M dv + Phi' mu = 0,  Phi dv = -residual
  List normal(const List& vector) const;  // vector + normal(vector) is tangent
  List correction(const List& residual) const;
  Motion motion_step() const;
  List carried(const List& dq, const LeafMap& moved) const;
  List with_motion_residuals(List outputs) const;  // and work
  List with_pivots(List outputs) const;

  const Equations& e_;
  ExpressionMatrix Phi_, Phidot_;  // the rows that are used
  List phi_, phidot_, gamma_;
  TracedSolve solve_;
  Expression alpha_, beta_, weight_;
  List position_error_, velocity_error_;
  Motion motion_;
};

}  // namespace armature
