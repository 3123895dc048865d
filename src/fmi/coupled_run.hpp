// A run coupled with FMUs. At each of its communication times an FMU is given its inputs, formulas of the machine; its outputs are read
// and hold until its next time; then it steps there. The machine moves in between. FMUs that communicate at one time do so in the order
// of the file, so that each sees what those before it have given.
#pragma once

#include "model/model.hpp"
#include "run/simulate.hpp"

namespace armature::internal {

// Throws ModelError where an FMU would exchange values more often than any run can.
void refuse_exchanges(const Model& model, double end);

// As simulate(). Throws RequestError and ComputationError where an FMU cannot be loaded or refuses a value.
Outcome simulate_coupled(const Model& model, const Prepared& prepared, Recorder& recorder,
                         const Progress& progress = {});

}  // namespace armature::internal
