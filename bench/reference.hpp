// What the results of all engines are measured against.
#pragma once

#include "engine.hpp"

namespace armature::internal::bench {

// Accelerations at the start in 80-bit arithmetic, by the plainest way there is: Newton's and Euler's equations in ground
// axes, M column by column from unit accelerations, the whole system of M and Phi solved with full pivoting.
Eigen::VectorXd reference_acceleration(const Machine& machine);

// Joint angles of a motion, one column a sample. Of the 3RRR robots by the hand-written kernel and RK4 at steps so small that
// what is left is round-off; of the windows, whose uprights stay parallel, by that of their one coordinate,
//   ((N+1)/3 + N) phi'' = -g ((N+1)/2 + N) cos phi.
const Eigen::MatrixXd& reference_motion(const Machine& machine, double end, int samples);

// Largest difference of joint angles, rad; infinite where the motion broke down.
double motion_error(const Machine& machine, double end, const Motion& motion);

}  // namespace armature::internal::bench
