// A run that speaks before it has ended.
#pragma once

#include <functional>
#include <string>

#include "run/simulate.hpp"

namespace armature::internal {

// Called in the middle of a run with what cannot wait for its end; the Outcome repeats it.
using Warn = std::function<void(const std::string& warning)>;

// along: also looks at the motion; null: nobody does.
Outcome simulate(const Prepared& prepared, Recorder& recorder, const Progress& progress, const Warn& warn,
                 StepWatcher* along = nullptr);

}  // namespace armature::internal
