// Whether the outcomes of a run agree with the signs of their roots, at the times that are looked at. They differ where a change
// was missed. A root that is zero but for what the integrator may err by agrees with either outcome:
//
//   |rho| <= sum_i |rho(x + delta_i e_i) - rho(x)|,   delta_i = 1000 (rtol |x_i| + atol_i)
//
// A root that is not a number has no sign: its outcome stays what it was, which is "no" from the start on. That is told where the other
// outcome would give other forces, and a change is accepted that was located where the root is a number.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/step.hpp"
#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

class ComparisonCheck {
 public:
  ComparisonCheck(const Prepared& prepared, Dynamics& dynamics);  // kept by reference

  void begin(double t, const Eigen::VectorXd& x);
  void look(double t, const Eigen::VectorXd& x);  // with the outcomes that are set in the dynamics
  void pass(const Step& step, double until);      // the end of each step, or of its part before a change
  void report(Outcome& outcome) const;            // a run in which they differ has failed

 private:
  bool slides(int comparison) const;
  double outside(int comparison)
      const;  // by how much the root is on the other side, or away from zero while the comparison slides
  double uncertainty(int comparison, double t, const Eigen::VectorXd& x);
  bool runs_away(int comparison, double t, const Eigen::VectorXd& x);  // one that slides, from zero
  void find_roots(double t, const Eigen::VectorXd& x);
  bool take_undefined(int comparison, double t);  // whether it is
  bool decides(int comparison);                   // whether the other outcome would change the motion
  std::string name_of(int comparison) const;
  std::string sentence_about(int comparison, double t) const;

  const Prepared& prepared_;
  Dynamics& dynamics_;
  std::vector<int> entries_;                    // of x, that the roots depend on
  Eigen::VectorXd root_, moved_, x_, largest_;  // largest_: |root| seen so far
  Eigen::VectorXd undefined_at_;                // when a root was not a number last; NaN: it never was
  Eigen::VectorXd outcome_there_;               // of a root that is not a number at the last row; NaN: it is one
  int undefined_ = 0;                           // how many are not
  std::vector<bool> told_;                      // of which it is told that they decide
  std::optional<SparseTerms> terms_, others_;
  Findings findings_;
  std::string found_;
};

}  // namespace armature::internal
