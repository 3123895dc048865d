// A run beside its repetitions (repeats.hpp), each in a thread of its own: how many digits of each channel agree
// (agreement.hpp), and from when on errors that grow exponentially are large (divergence.hpp).
//
// With numbers of the motion, these and the peaks of the run are compared as well.
//
// A run promises as many digits as its rtol, less three for the errors of its steps, which add up; with fixed steps it
// promises two. Fewer in any channel, or such errors, make the result doubtful.
#pragma once

#include <utility>

#include "inspect/repeated_run.hpp"
#include "model/model.hpp"
#include "record/verification.hpp"
#include "run/warn.hpp"

namespace armature::internal {

// The run goes into the recorder as by simulate(). Repetitions stop where `progress` stops the run. A doubtful result is a
// warning of the Outcome.
std::pair<Outcome, Verification> verify(const Model& model, const Prepared& prepared, Recorder& recorder,
                                        const Progress& progress = {}, const Warn& warn = {},
                                        const NumbersOfMotion& numbers = {});

}  // namespace armature::internal
