// The states of a wanted motion: from positions alone where loops and motion fix everything, else integrated with the
// efforts of inverse dynamics, so that what is left free (a swinging load, a winding's temperature) moves as it must.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynamics/inverse_dynamics.hpp"
#include "observe/outcome.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

struct MotionStates {
  std::vector<double> t;
  std::vector<Eigen::VectorXd> x;
};

// Up to where the motion could be found; the outcome says how far that is.
Outcome find_motion(const Prepared& prepared, InverseDynamics& inverse, MotionStates& states, const Progress& progress);

}  // namespace armature::internal
