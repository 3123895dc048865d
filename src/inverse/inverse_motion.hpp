// The states of a wanted motion: from positions alone where loops and motion fix everything, else integrated, so that what is left
// free (a swinging load, a winding's temperature) moves as it must:
//
//   as a run of the machine whose motion is prescribed, where all efforts act on wanted coordinates and so do what the multipliers of
//   the motion do there: with all events of a run, such as friction that sticks or a freewheel that locks
//   with the efforts of inverse dynamics, elsewhere
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
  std::vector<std::vector<int>> sticking;  // comparisons, a row; empty: not known
  std::vector<int> sticking_in(std::size_t row) const { return sticking.empty() ? std::vector<int>() : sticking[row]; }
};

// Up to where the motion could be found; the outcome says how far that is. efforts_on_motion: all of them act on wanted coordinates.
Outcome find_motion(const Prepared& prepared, InverseDynamics& inverse, bool efforts_on_motion, MotionStates& states,
                    const Progress& progress);

}  // namespace armature::internal
