// A run coupled with FMUs. At each of its communication times an FMU is given its inputs, formulas of the machine; its outputs are read
// and hold until its next time; then it steps there. The machine moves in between. FMUs that communicate at one time do so in the order
// of the file, so that each sees what those before it have given.
#pragma once

#include "couple/fmu_archive.hpp"
#include "model/model.hpp"
#include "run/simulate.hpp"
#include "run/warn.hpp"

namespace armature::internal {

// Throws ModelError where an FMU would exchange values more often than any run can.
void refuse_exchanges(const Model& model, double end);

// As simulate(), with the FMUs of the model, whose output and warnings are findings. Throws RequestError where one cannot be loaded.
Outcome simulate_coupled(const Model& model, const std::vector<FmuArchive>& archives, const Prepared& prepared,
                         Recorder& recorder, const Progress& progress = {}, const Warn& warn = {});

}  // namespace armature::internal
