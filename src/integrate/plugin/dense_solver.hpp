// The linear solver that CVODE and IDA are given for dense matrices: it stops where the run is stopped (dense_lu.hpp).
#pragma once

#include "integrate/plugin/sundials_integrator.hpp"

namespace armature::internal {

SundialsOwner<SUNLinearSolver> make_dense_solver(SUNContext context, const StopQuestions& questions);

}  // namespace armature::internal
