// Why a step failed, as a sentence with time, place and advice.
#pragma once

#include <string>

#include "dynamics/dynamics.hpp"
#include "integrate/integrator.hpp"
#include "system/state.hpp"

namespace armature::internal {

// file: that of the model; fixed_rows: the method cannot change which constraint rows it uses (ida).
std::string why_step_failed(StepStatus status, const Integrator& integrator, Dynamics& dynamics, const State& state,
                            const std::string& file, bool fixed_rows);

}  // namespace armature::internal
