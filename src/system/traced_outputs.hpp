// What the programs of the traced solve put out, as expressions: accelerations, and the steps that return a state to
// its constraints. All of them share one factorization of M and S = Phi M^-1 Phi' (traced_solve.hpp).
#pragma once

#include <memory>
#include <vector>

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"
#include "system/system.hpp"
#include "system/traced_solve.hpp"

namespace armature::internal {

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
  // How M and S are factored: by the entries of M, from link to link, or by whichever takes fewer operations for the
  // acceleration.
  using Way = SystemOptions::Way;
  TracedOutputs(const Equations& equations, const Constraints& constraints, Way way = Way::fewest);
  bool articulated() const { return articulated_; }

  // Inputs behind those of Layout: alpha, beta | errors of positions (along v) and velocities | weight.
  List gains() const { return {alpha_, beta_}; }
  List gains_and_errors() const;
  List gains_errors_and_weight() const;

  // In the order of the table in kernel.cpp.
  List acceleration() const { return acceleration_of(end_.front()); }
  List acceleration_baumgarte() const;
  List correct_position() const { return correction(phi_); }
  List correct_velocity() const { return correction(phidot_); }
  List correct_velocity_and_errors() const;
  List correct_motion() const;
  List step_end() const;
  const std::vector<Pack>& step_end_packs() const { return packs_; }
  Expression kinetic() const { return articulated_ ? e_.tree->kinetic : e_.kinetic; }  // by what the solve needs anyway

 private:
  struct Motion {
    List dq, dv;
    Expression work;
  };
  // The right sides at the end of a step: the motion, the way back, and the normal parts of both errors.
  std::vector<TracedSolve::RightSide> end_of_step() const;
  void add_motion(const TracedSolve::Solution& solution, bool pulled, List& outputs) const;  // vdot … zdot
  void add_constraint_power(const List& lambda, bool pulled, List& zdot) const;
  TracedSolve::RightSide closing(const List& residual) const;  // M dv + Phi' mu = 0,  Phi dv = -residual
  List along_rows(const List& vector) const;                   // Phi vector
  List step(const List& residual) const { return solve_->solve(closing(residual)).vdot; }
  List normal(const List& vector) const { return step(along_rows(vector)); }  // vector + normal(vector) is tangent
  List correction(const List& residual) const;
  Motion motion_step() const;
  List carried(const List& dq, const LeafMap& moved) const;
  List with_motion_residuals(List outputs) const;  // and work
  List with_pivots(List outputs) const;

  List acceleration_of(const TracedSolve::Solution& solution) const;
  void choose(Way way, const Constraints& constraints);
  TracedSolve::RightSide forces(List b) const;  // all forces, in the form that the solve takes them
  std::unique_ptr<const TracedSolve> make_solve(bool articulated, const Constraints& constraints) const;

  const Equations& e_;
  ExpressionMatrix Phi_, Phidot_;  // the rows that are used
  List phi_, phidot_, gamma_;
  bool articulated_ = false;
  std::unique_ptr<const TracedSolve> solve_;
  Expression alpha_, beta_, weight_;
  List position_error_, velocity_error_;
  std::vector<Pack> packs_;
  std::vector<TracedSolve::Solution> end_;  // of end_of_step()
  Motion motion_;
};

}  // namespace armature::internal
