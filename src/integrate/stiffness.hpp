// Whether stability, and not accuracy, limits the steps of an explicit pair (after Hairer, Wanner, Solving ODEs II, IV.2). The
// last stage and the end of a step lie at the same time, so that their slopes differ by what their states do. In the entry i of
// x whose slope differs most, measured by its tolerance,
//
//     |lambda| = |f_i(x1) - f_i(xs)| / |x1_i - xs_i|
//
// is the size of the eigenvalue that this difference follows. Where a fast mode settles, nothing is left of it in the solution,
// but the method itself excites it: error control then holds h |lambda| at the boundary of the stability region on the
// negative real axis (Tableau::stable), whatever the tolerance. A mode that rings has its boundary at about 1: its steps never
// look stiff, and an implicit method would have to follow it, too. (The norm of all entries, in place of one, loses a
// mode among slow ones that move by more.)
//
// Every 32nd accepted step is looked at. Steps are stiff where 16 more of those looked at were near the boundary than not.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "integrate/tableau.hpp"
#include "integrate/tolerance.hpp"

namespace armature::internal {

class StiffnessTest {
 public:
  explicit StiffnessTest(const Tableau& method) : boundary_(method.stable) {}

  bool due() { return ++steps_ % interval == 0; }  // once an accepted step: whether to look at it
  // A step of length h to x1; what f and x differ by between its last stage and its end.
  void look(double h, const Tolerance& tolerance, const Eigen::VectorXd& of_slope, const Eigen::VectorXd& of_x,
            const Eigen::VectorXd& x1);

  bool stiff() const { return lead_ >= enough; }
  long steps() const { return interval * near_; }  // about as many were at the boundary
  double rate() const { return rate_; }            // |lambda| in the last step at the boundary, 1/s
  int entry() const { return entry_; }             // of x, in which the fast mode is largest

 private:
  static constexpr int interval = 32, enough = 16;
  double boundary_;
  long steps_ = 0, near_ = 0;
  int lead_ = 0;  // of steps near the boundary over the others
  double rate_ = 0;
  int entry_ = -1;
};

// What an integrator that looks at its steps gives away. A separate base: most integrators do not look.
class LooksForStiffness {
 public:
  virtual ~LooksForStiffness() = default;
  virtual const StiffnessTest* stiffness() const = 0;            // null: it does not, after all
  virtual std::optional<double> switched() const { return {}; }  // when `auto` took its implicit method
};

}  // namespace armature::internal
