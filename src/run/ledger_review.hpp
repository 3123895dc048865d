// The energy balance of a motion whose ledger is summed anew. Work and heat are integrals along the motion with errors of their own, which
// add up from step to step; where constraints hold the motion, they are the only ones. Then the balance is off, and the motion is right.
// Here the motion is computed once more, bit for bit, and in each of its steps the integrals of the integrator are replaced by
//
//   h sum_k w_k p(t_k, x(t_k))        Gauss-Legendre, seven points; p: the powers, x: the motion in between
//
// What then is off is what the motion itself has gained or lost. With projection the path is that of the projected states, which makes no
// jumps: work.stabilization, which counts them, is left out.
#pragma once

#include <optional>

#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// The largest error of that balance, J. Nothing: there is no ledger to sum, or the motion was not followed to its last time again.
std::optional<double> reviewed_energy_error(const Prepared& prepared, double last_time);

}  // namespace armature::internal
