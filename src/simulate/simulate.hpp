// The loop: step towards the next stop (end, event), project, record by dense output.
#pragma once

#include <functional>

#include "record/recorder.hpp"
#include "simulate/outcome.hpp"
#include "simulate/prepare.hpp"

namespace armature {

// Called after every step; false: stop here.
using Progress = std::function<bool(double t, long steps)>;

// Runs from prepared.start to prepared.options.end. Every row up to the last good state is recorded, whatever happens.
Outcome simulate(const Prepared& prepared, Recorder& recorder, const Progress& progress = {});

}  // namespace armature
