// Advice where the steps of an explicit method are limited by the fastest vibration of a beam. A method with the stability
// function R, x1 = R(step lambda) x0 for xdot = lambda x, holds steps up to about r/|lambda|, with r the length of the ray
// towards lambda on which |R| <= 1: on the imaginary axis 1 for dopri5, 2.83 for RK4. Error control drives the step there
// and back where the motion itself would allow longer ones.
#pragma once

#include <optional>

#include "dynamics/dynamics.hpp"
#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// "steps are limited by 5.6e4 rad/s of link2; try modes: 3 (…)", or nothing. The vibration is that of
// the machine where the run ended.
std::optional<Finding> step_limit_advice(const Prepared& prepared, Dynamics& dynamics, const Outcome& outcome);

}  // namespace armature::internal
