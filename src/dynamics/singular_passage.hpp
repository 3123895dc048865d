// The acceleration in a singular pose that the motion passes with speed.
//
// On the constraints, round-off of phi leaves accelerations uncertain by eps/s^2 where a row has the sine s against the others,
// and in the pose itself a row is lost. But the motion goes through the pose on its branch, along which everything is smooth:
// below the sine `unreadable` the acceleration is interpolated from those at three points of the branch on each side, `reach`
// apart. These are uncertain by eps/reach^2, and what interpolation adds is round-off (docs/theory/singular_passage.md).
#pragma once

#include "dynamics/acceleration.hpp"
#include "dynamics/configuration.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/projection.hpp"
#include "dynamics/stabilization.hpp"
#include "system/system.hpp"

namespace armature::internal {

class SingularPassage {
 public:
  // Keeps references.
  SingularPassage(SystemEvaluator& evaluator, Formulation& formulation, Projection& projection,
                  const Configuration& configuration, const Stabilization& stabilization);

  // Whether this is the acceleration of a singular pose, or of one so close that it cannot be relied upon.
  bool is_singular(const Acceleration& acceleration) const;

  static constexpr double reach = 4e-3;        // rad, or lengths of the machine: between the points on a side
  static constexpr double far_reach = 3.2e-2;  // where a light rod closes a loop the sine grows slowly

  // vdot and lambda at x, from points `reach` apart, or where these are singular two, four … times as far, up to `farthest`; false: the motion hardly moves, is not regular on both
  // sides, or passes by a pose in which branches only come near each other. The evaluator is set to x afterwards.
  bool accelerate(double t, const double* x, double farthest, Acceleration& result);

 private:
  bool interpolate(double t, const double* x, double dt, Acceleration& result);
  bool accelerate_beside(double t, const double* x, double dt);  // beside_, side_
  bool constraints_move(double t, const double* x, double dt);   // phi(t + dt, q) is not phi(t, q)
  bool branch_leads_through(double t, const double* x);          // branch_ lies on the constraints

  SystemEvaluator& evaluator_;
  Formulation& formulation_;
  Projection& projection_;
  const Configuration& configuration_;
  const Stabilization& stabilization_;
  Layout n_;
  int rows_;  // independent ones
  SparseTerms terms_;
  Acceleration side_;
  Eigen::VectorXd b_, force_, beside_, step_;
  Eigen::VectorXd branch_;  // positions at x, interpolated like the accelerations
};

}  // namespace armature::internal
