// Feedback along a plan: gains K(t) with which inputs  u = u*(t) - K(t) (x - x*(t))  bring the machine back to it.
//
// A linear-quadratic regulator on the tangent space. At every node the columns of V span the velocities that the loops allow, carried from
// node to node so that they turn as little as possible; errors of position and of velocity are V dq and V dv. The collocation equations of an
// interval, differentiated at the plan, give the transition of the error and the effect of inputs that are shifted by a constant,
//
//   y_(k+1) = A_k y_k + B_k du_k
//
// and the Riccati recursion from the end gives the gains of least  sum y'Qy + du'R du. Q and R count errors in units of the machine (and
// velocities by the duration) and inputs in units of their range.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "plan/collocation.hpp"

namespace armature::internal {

struct FeedbackGains {
  std::vector<double> t;           // nodes but the last, s
  std::vector<Eigen::MatrixXd> K;  // inputs x (q, v, z)
  std::vector<std::string> inputs, states;
};

std::vector<std::string> state_names(const Collocation& collocation);  // of q, v and the used z

FeedbackGains feedback_gains(const Collocation& collocation, const PlannedMotion& motion);

}  // namespace armature::internal
