// The loop: step towards the next stop (end, event), project, show the step to who watches.
#pragma once

#include <functional>

#include "observe/outcome.hpp"
#include "observe/watcher.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

// Called after every step; false: stop here.
using Progress = std::function<bool(double t, long steps)>;

// Runs from prepared.start to prepared.options.end. Every row up to the last good state is recorded, whatever happens.
Outcome simulate(const Prepared& prepared, Recorder& recorder, const Progress& progress = {});

// The same, seen by a watcher, which may end the run early.
Outcome follow(const Prepared& prepared, StepWatcher& watcher, const Progress& progress = {});

}  // namespace armature::internal
