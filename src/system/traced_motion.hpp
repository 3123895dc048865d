// The motion that the traced solve gives, as expressions: accelerations, and the steps that return a state to its constraints. All of
// them share one factorization of M and S = Phi M^-1 Phi' (traced_solve.hpp). Kernels are put together from these
// (kernel_expressions.cpp).
#pragma once

#include <memory>
#include <vector>

#include "expression/derivative.hpp"
#include "mechanics/equations.hpp"
#include "system/system.hpp"
#include "system/traced_solve.hpp"

namespace armature::internal {

class TracedMotion {
 public:
  using List = std::vector<Expression>;
  using Solution = TracedSolve::Solution;
  // The constraints and what belongs to them, all rows; `rows` are those that are used.
  struct Constraints {
    const ExpressionMatrix &Phi, &Phidot;
    const List &phidot, &gamma, &extents;
    const std::vector<int>& rows;
    const std::vector<int>& groups;
  };
  // The step back to the constraints, to first order.
  struct Correction {
    List dq, dv;
    Expression work;
  };
  // How M and S are factored: by the entries of M, from link to link, or by whichever takes fewer operations for the
  // acceleration.
  using Way = SystemOptions::Way;
  TracedMotion(const Equations& equations, const Constraints& constraints, Way way = Way::fewest);
  bool articulated() const { return articulated_; }

  // Inputs behind those of Layout, and all of them in the order of kernels.def.
  const Expression& alpha() const { return alpha_; }
  const Expression& beta() const { return beta_; }
  const List& position_error() const { return position_error_; }  // along v
  const List& velocity_error() const { return velocity_error_; }
  List inputs() const;

  // The rows that are used.
  const List& phi() const { return phi_; }
  const List& phidot() const { return phidot_; }
  const List& gamma() const { return gamma_; }

  const Solution& acceleration() const { return end_.front(); }
  Solution under_forces(List b) const { return solve_->solve(forces(std::move(b))); }  // with Phi vdot = b
  Solution solve(List f, List b) const { return solve_->solve({std::move(f), std::move(b)}); }
  List motion(const Solution& solution, bool pulled = false) const;  // vdot, lambda, qdot, zdot; pulled by Baumgarte
  List step(const List& residual) const { return solve_->solve(closing(residual)).vdot; }
  List normal(const List& vector) const { return step(along_rows(vector)); }  // vector + normal(vector) is tangent
  // The same of a change of position: velocity rows leave it as it is.
  List position_normal(const List& vector) const { return step(along_position_rows(vector)); }
  const Correction& correction() const { return correction_; }
  // The error estimates with the part of the last stage, weight (v, vdot).
  List tangent_position_error() const { return tangent(position_error_, e_.v, end_[2].vdot); }
  List tangent_velocity_error() const { return tangent(velocity_error_, end_[0].vdot, end_[3].vdot); }
  List with_pivots(List outputs) const;
  const std::vector<Pack>& packs() const { return packs_; }  // of the solves at the end of a step
  Expression kinetic() const { return articulated_ ? e_.tree->kinetic : e_.kinetic; }  // by what the solve needs anyway

 private:
  // The right sides at the end of a step: the motion, the way back, and the normal parts of both errors.
  std::vector<TracedSolve::RightSide> end_of_step() const;
  void add_constraint_power(const List& lambda, bool pulled, List& zdot) const;
  TracedSolve::RightSide closing(const List& residual) const;  // M dv + Phi' mu = 0,  Phi dv = -residual
  List along_rows(const List& vector) const;                   // Phi vector
  List along_position_rows(const List& vector) const;          // the same, zero in velocity rows
  List tangent(const List& error, const List& rate, const List& normal) const;
  Correction motion_step() const;
  List carried(const List& dq, const LeafMap& moved) const;
  void choose(Way way, const Constraints& constraints);
  TracedSolve::RightSide forces(List b) const;  // all forces, in the form that the solve takes them
  std::unique_ptr<const TracedSolve> make_solve(bool articulated, const Constraints& constraints) const;

  const Equations& e_;
  ExpressionMatrix Phi_, Phidot_;   // the rows that are used
  std::vector<bool> velocity_row_;  // which of them
  List phi_, phidot_, gamma_;
  bool articulated_ = false;
  std::unique_ptr<const TracedSolve> solve_;
  Expression alpha_, beta_, weight_;
  List position_error_, velocity_error_;
  std::vector<Pack> packs_;
  std::vector<Solution> end_;  // of end_of_step()
  Correction correction_;
};

}  // namespace armature::internal
